// Why a hook failed, in words, and which of the words the hook's script chose: records hide those.

/** One line; `foreign` is the text of the script within the reason, exactly as it is written there. */
export type HookError = string | { readonly reason: string; readonly foreign: string };

/** The line alone. */
export function hookReason(error: HookError): string {
  return typeof error === "string" ? error : error.reason;
}
