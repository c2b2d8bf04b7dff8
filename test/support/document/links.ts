// The links of a page to other files of the repository, and the anchors of a page.

/** A link to a file of the repository, relative to the page; `anchor` may be empty. */
type Link = { readonly target: string; readonly anchor: string };

/** The links of a text outside of code blocks, without those to other sites. */
export function linksIn(text: string): readonly Link[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [target = "", anchor = ""] = link.split("#");
      return { target, anchor };
    });
}

/** The anchors of a page's headings, as GitHub generates them. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return new Set([...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slugOf(heading)));
}

function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").trim().replaceAll(" ", "-");
}
