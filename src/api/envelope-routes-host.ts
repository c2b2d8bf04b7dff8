// The host socket's routes of envelopes (rulespec.md 6), for the operator alone.
import { success } from "../wire/answer.ts";
import { answerProblem, type createApp } from "../server/app.ts";
import type { Envelopes } from "../envelope/envelopes.ts";

/** Adds the routes to an app. */
export function mountHostEnvelopes(app: ReturnType<typeof createApp>, envelopes: Envelopes): void {
  app
    .get("/api/v1/envelopes", () => success(envelopes.list()))
    .get("/api/v1/envelope/:container", async ({ params }) => {
      const view = await envelopes.view(params.container);
      return view.ok ? success(view.value) : answerProblem(view.error);
    });
}
