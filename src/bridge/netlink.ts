// One request to the kernel about network devices and its answer (rtnetlink(7)). Every exchange has its own socket, so answers
// cannot be mixed up. Messages are little-endian, as both supported machines are.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Libc, libc } from "../peer/ffi.ts";

const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_RAW = 3;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const NLMSG_ERROR = 2;
const HEADER_BYTES = 16;
const LINK_HEADER_BYTES = 16;

/** Types of messages. */
export const RTM_NEWLINK = 16;
/** Reads a device. */
export const RTM_GETLINK = 18;

/** Flags of messages: every message is a request, and a change asks for an acknowledgement. */
export const NLM_F_REQUEST = 0x1;
/** Asks for an answer also when the change succeeds. */
export const NLM_F_ACK = 0x4;
/** Fails if the device exists. */
export const NLM_F_EXCL = 0x200;
/** Makes the device. */
export const NLM_F_CREATE = 0x400;

/** Attributes of a device: its name, its kind, and which parts the answer leaves out. */
export const IFLA_IFNAME = 3;
/** Holds the kind. */
export const IFLA_LINKINFO = 18;
/** The kind, in `IFLA_LINKINFO`. */
export const IFLA_INFO_KIND = 1;

/** Size of the buffer for answers, in bytes; an answer about one device is far smaller. */
const ANSWER_BYTES = 32_768;

/** A request that reads or changes a device. */
export type LinkRequest = {
  readonly type: number;
  readonly flags: number;
  /** The device's flags, and which of them to change. */
  readonly deviceFlags?: number;
  readonly deviceChange?: number;
  readonly attributes: readonly Uint8Array[];
};

/** An answer: a device, or the number of an error; 0 means success. */
export type LinkAnswer =
  | { readonly kind: "link"; readonly flags: number; readonly attributes: ReadonlyMap<number, Uint8Array> }
  | { readonly kind: "status"; readonly errno: number };

/** An attribute: a text that ends in a zero byte, or nested attributes. */
export function attribute(type: number, value: string | readonly Uint8Array[]): Uint8Array {
  const data = typeof value === "string" ? new TextEncoder().encode(`${value}\0`) : Buffer.concat(value);
  const bytes = new Uint8Array(aligned(4 + data.length));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 4 + data.length, true);
  view.setUint16(2, type, true);
  bytes.set(data, 4);
  return bytes;
}

/** Encodes a request. */
export function encodeRequest({ type, flags, deviceFlags = 0, deviceChange = 0, attributes }: LinkRequest): Uint8Array {
  const body = Buffer.concat(attributes);
  const bytes = new Uint8Array(HEADER_BYTES + LINK_HEADER_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, type, true);
  view.setUint16(6, flags, true);
  view.setUint32(HEADER_BYTES + 8, deviceFlags, true);
  view.setUint32(HEADER_BYTES + 12, deviceChange, true);
  bytes.set(body, HEADER_BYTES + LINK_HEADER_BYTES);
  return bytes;
}

/** Decodes the first message of an answer; null if its type is unknown. */
export function decodeAnswer(bytes: Uint8Array): LinkAnswer | null {
  if (bytes.length < HEADER_BYTES + 4) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const type = view.getUint16(4, true);
  if (length > bytes.length) return null;
  if (type === NLMSG_ERROR) return { kind: "status", errno: 0 - view.getInt32(HEADER_BYTES, true) };
  if (type !== RTM_NEWLINK || length < HEADER_BYTES + LINK_HEADER_BYTES) return null;
  const flags = view.getUint32(HEADER_BYTES + 8, true);
  return {
    kind: "link",
    flags,
    attributes: decodeAttributes(bytes.subarray(HEADER_BYTES + LINK_HEADER_BYTES, length)),
  };
}

/** Returns attributes by their types; a malformed attribute ends the list. */
export function decodeAttributes(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = view.getUint16(at, true);
    if (length < 4 || at + length > bytes.length) break;
    // The upper two bits describe the encoding of the value.
    found.set(view.getUint16(at + 2, true) & 0x3fff, bytes.subarray(at + 4, at + length));
    at += aligned(length);
  }
  return found;
}

/** Sends a request in the network namespace of this process; the kernel has answered when the call to send returns. */
export function askKernel(request: LinkRequest): Result<LinkAnswer, Problem> {
  const calls = libc();
  if (!calls.ok) return calls;
  const fd = calls.value.socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return err(problem("bridge.refused", "the kernel cannot be asked about network devices"));
  const answer = exchange(calls.value, fd, encodeRequest(request));
  calls.value.close(fd);
  return answer === null
    ? err(problem("bridge.refused", "the kernel gives no answer about a network device"))
    : ok(answer);
}

function exchange(calls: Libc, fd: number, question: Uint8Array): LinkAnswer | null {
  // An empty address means the kernel.
  const address = new Uint8Array(12);
  new DataView(address.buffer).setUint16(0, AF_NETLINK, true);
  if (calls.sendto(fd, question, BigInt(question.length), 0, address, address.length) !== question.length) return null;
  const buffer = new Uint8Array(ANSWER_BYTES);
  const length = calls.recv(fd, buffer, BigInt(buffer.length), 0);
  return length < 0 ? null : decodeAnswer(buffer.subarray(0, length));
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}
