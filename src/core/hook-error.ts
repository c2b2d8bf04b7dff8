// The reason why a hook failed, in words. The part that the hook's script chose is marked, because records hide it.

/** A reason of one line; `foreign` is the script's text within the reason, exactly as it is written there. */
export type HookError = string | { readonly reason: string; readonly foreign: string };

/** The reason without the mark. */
export function hookReason(error: HookError): string {
  return typeof error === "string" ? error : error.reason;
}
