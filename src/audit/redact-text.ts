// Any text -> the same without private keys, known forms of tokens, authorizations, values of secret names, and the user info,
// query string and fragment of URLs. In doubt a part is hidden.
import { hideNamed } from "./hide-named.ts";
import { hideLooseQueries, hideUrls, hideUserInfo } from "./hide-urls.ts";
import { placeholder } from "./placeholder.ts";

/** The text without anything that may not be stored. */
export function redactText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const withoutParts = hideUserInfo(hideLooseQueries(hideUrls(hidePrivateKeys(text))));
  return hideTokens(hideNamed(withoutParts));
}

/** The text without private keys in PEM form. A key without its end line is hidden to the end of the text. */
export function hidePrivateKeys(text: string): string {
  return text.replaceAll(PRIVATE_KEY, (found) => placeholder("private key", found));
}

/** The text without known forms of tokens and without the credentials after the name of an authorization scheme. */
function hideTokens(text: string): string {
  const bare = text.replaceAll(SCHEME, (_, scheme: string, given: string) => `${scheme}${placeholder("token", given)}`);
  return bare.replaceAll(TOKEN, (found) => isWord(found) ? found : placeholder("token", found));
}

// An ordinary word can begin like a token, such as a hyphenated word with `sk-`.
function isWord(found: string): boolean {
  return /^[sr]k-/i.test(found) && !/\d/.test(found) && found.length < 24;
}

/** A quick test that most texts fail: a text without a match has nothing that the other patterns find. */
const SUSPICIOUS =
  /[@?]|:\/\/|-----BEGIN|pass|pwd|token|secret|key|credential|cookie|auth|bearer|basic|digest|negotiate|[a-z0-9][_.-][\w.-]{4}|akia|asia|abia|acca|aroa|aida|aiza|eyj/i;

const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|$)/g;

const SCHEME = /\b((?:bearer|basic|digest|negotiate)(?:\s+|%20|\+))([^\s"',;<]{4,})/gi;

// Prefixes of the tokens of known services. The lengths are shorter than real tokens, so that a cut token is found.
const FORMS = [
  "gh[opsur]_[a-z0-9]{4,}", // GitHub
  "github_pat_\\w{4,}",
  "gl[a-z]{2,5}-[\\w-]{8,}", // GitLab
  "xox[a-z](?:\\.xox[a-z])?-[\\w-]{4,}", // Slack
  "xapp-[\\w-]{8,}",
  "(?:akia|asia|abia|acca|aroa|aida)[a-z0-9]{12,}", // AWS
  "aiza[\\w-]{8,}", // Google
  "ya29\\.[\\w-]{8,}",
  "gocspx-[\\w-]{8,}",
  "(?<![a-z0-9])[sr]k-[\\w-]{8,}", // OpenAI, Anthropic and others
  "[sprw]k_(?:live|test|prod)_\\w{4,}", // Stripe
  "whsec_\\w{8,}",
  "npm_[a-z0-9]{16,}",
  "pypi-[\\w-]{16,}",
  "rubygems_[a-z0-9]{16,}",
  "hf_[a-z0-9]{16,}", // Hugging Face
  "eyj[\\w-]{6,}(?:\\.[\\w-]*){0,4}", // JSON Web Tokens
  "sg\\.[\\w-]{16,}\\.[\\w-]{8,}", // SendGrid
  "dckr_pat_[\\w-]{4,}", // Docker
  "hv[sbr]\\.[\\w-]{16,}", // Vault
  "do[opr]_v1_[a-f0-9]{16,}", // DigitalOcean
  "shp(?:at|ca|pa|ss)_[a-f0-9]{16,}", // Shopify
  "gl(?:sa|c)_\\w{16,}", // Grafana
  "lin_api_\\w{16,}", // Linear
  "sq0[a-z]{3}-[\\w-]{16,}", // Square
  "age-secret-key-1[a-z0-9]{8,}",
  "tok-[\\w-]{43}", // session tokens of Outcall
];

const TOKEN = new RegExp(FORMS.join("|"), "gi");
