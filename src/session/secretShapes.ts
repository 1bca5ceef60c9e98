import type { SecretPattern } from './redactor.ts';

/**
 * What keys look like: prefixes that their issuers chose so that they can be found, and the places where only a
 * secret stands (headers, URLs). A group named `secret` is what is taken out; without one it is the whole match.
 * Bounded repeats only, and no character that JSON escapes: a match never breaks the text around it.
 */
const shapes: readonly (readonly [name: string, shape: RegExp])[] = [
  ['api-key', /\bsk-(?=[\w-]{0,200}\d)[\w-]{12,200}/g],
  [
    'api-key',
    /\b(?:gsk_|xai-|hf_|npm_|glpat-|sk_live_|rk_live_|dckr_pat_|pypi-|r8_|pplx-|nvapi-|fw_|tgp_v1_|lin_api_|whsec_|ya29\.)[\w-]{16,200}/g,
  ],
  ['github-token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})/g],
  ['aws-key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['google-key', /\bAIza[\w-]{30,60}/g],
  ['slack-token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/g],
  ['jwt', /\beyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,2000}/g],
  [
    'private-key',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^"]{1,8000}?-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  ],
  [
    'authorization',
    /\b(?:bearer|basic)\s{1,4}(?=[A-Za-z._~+/-]{0,500}[\d=])(?<secret>[\w.~+/-]{12,2000}={0,2})/gi,
  ],
  ['url-user', /:\/\/(?=[^\s/@:"'\\]{0,128}\d)(?<secret>[^\s/@:"'\\]{12,128})@/g],
  ['password', /:\/\/[^\s/@:"'\\]{0,128}:(?<secret>[^\s/@"'\\]{1,256})@/g],
  [
    'url-key',
    /[?&](?:api[-_]?key|key|access[-_]?token|auth[-_]?token|token|(?:client[-_]?)?secret|password|sig|signature)=(?<secret>[^\s&#"'\\]{4,2000})/gi,
  ],
  [
    'header',
    /\b(?:x-api-key|api-key|x-[a-z-]{1,40}(?:token|key|secret))\\{0,8}"?\s{0,4}[:=]\s{0,4}\\{0,8}"?(?<secret>[^\s"'\\,;]{6,2000})/gi,
  ],
  // `DB_PASSWORD=…`, `"client_secret": "…"`: a digit in it tells it from code (`apiKey: string`).
  [
    'assigned-key',
    /(?:api_?key|secret_?(?:access_?)?key|(?:access|auth|refresh)_?token|client_?secret|passwd|password)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?(?=[^\s"'\\,;&()[\]{}<>]{0,200}\d)(?<secret>[^\s"'\\,;&()[\]{}<>]{6,2000})/gi,
  ],
  [
    'cookie',
    /\b(?:set-)?cookie\\{0,8}"?\s{0,4}:\s{0,4}\\{0,8}"?(?<secret>[^\s"'\\,;=]{1,100}=[^\s"'\\,;]{4,2000})/gi,
  ],
];

/**
 * Whether a word begins there: also at the start of a line of a text that is quoted in JSON (`\nsk-…`), which `\b` does
 * not know. Asked after a match: asked before each, it makes looking several times slower.
 */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !/\w/.test(text[at - 1]!)) return true;
  return text[at - 2] === '\\' && /[nrtbf]/.test(text[at - 1]!);
}

const startOfWord = '\\b';

export const secretShapes: readonly SecretPattern[] = shapes.map(([name, { source, flags }]) => {
  const isWord = source.startsWith(startOfWord);
  const shape = new RegExp(isWord ? source.slice(startOfWord.length) : source, flags);
  return { name, find: (text) => findShape(text, shape, isWord) };
});

function findShape(text: string, shape: RegExp, isWord: boolean): readonly [number, number][] {
  const found: [number, number][] = [];
  // Not matchAll: it copies the pattern, for each of them and each text. None of them matches nothing.
  shape.lastIndex = 0;
  for (let match = shape.exec(text); match; match = shape.exec(text)) {
    if (isWord && !beginsWord(text, match.index)) {
      shape.lastIndex = match.index + 1;
      continue;
    }
    const secret = match.groups?.['secret'] ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    found.push([start, start + secret.length]);
  }
  return found;
}
