// The host socket's routes of rule requests (S003-IF-007 to IF-009): the operator sees and decides them.
import type { Decider } from "../wire/stored-request.ts";
import type { HostHandlers, HostOptions, Operator } from "./host-options.ts";
import { userName } from "../state/host-names.ts";

/** Makes the handlers. */
export function requestHandlers({ requests }: Pick<HostOptions, "requests">): Pick<
  HostHandlers,
  | "GET /api/v1/rule-requests"
  | "GET /api/v1/rule-request/:id"
  | "POST /api/v1/rule-request/:id/approve"
  | "POST /api/v1/rule-request/:id/deny"
> {
  return {
    "GET /api/v1/rule-requests": ({ query: { status } }) => {
      return requests.list(status === "denied" ? "rejected" : status ?? null);
    },
    "GET /api/v1/rule-request/:id": ({ params }) => requests.view(params.id),
    "POST /api/v1/rule-request/:id/approve": ({ params, body, caller }) => {
      return requests.approve(params.id, body, deciderOf(caller));
    },
    "POST /api/v1/rule-request/:id/deny": ({ params, body, caller }) => {
      return requests.deny(params.id, body.reason ?? null, deciderOf(caller));
    },
  };
}

// The decider is the user that the kernel names. A body cannot name another one.
function deciderOf({ uid }: Operator): Decider {
  return { uid, name: userName(uid) };
}
