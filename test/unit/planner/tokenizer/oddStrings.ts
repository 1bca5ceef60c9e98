/** Texts that tokenizers get wrong, made by kind: each kind names what it is there for. */
import type { Random } from './random.ts';

type Make = (random: Random) => string;

/** First and last code point of the letters of 14 scripts. */
const scripts: Readonly<Record<string, readonly [number, number]>> = {
  latin: [0xc0, 0x24f],
  greek: [0x370, 0x3ff],
  cyrillic: [0x400, 0x4ff],
  armenian: [0x530, 0x58f],
  hebrew: [0x590, 0x5ff],
  arabic: [0x600, 0x6ff],
  devanagari: [0x900, 0x97f],
  tamil: [0xb80, 0xbff],
  thai: [0xe00, 0xe7f],
  georgian: [0x10a0, 0x10ff],
  ethiopic: [0x1200, 0x137f],
  kana: [0x3040, 0x30ff],
  hangul: [0xac00, 0xd7a3],
  han: [0x4e00, 0x9fff],
};

const separators = [' ', ' ', '  ', '\n', ', ', '. ', '-', "'", '/', '\t', '\u00a0', '\u3000', '1', '42 '];
const between = ({ below }: Random, first: number, last: number) =>
  String.fromCodePoint(first + below(last - first + 1));

const word = (random: Random, [first, last]: readonly [number, number]) =>
  random.repeat(1 + random.below(8), () => between(random, first, last));

const scriptKinds: readonly (readonly [string, Make])[] = Object.entries(scripts).map(([name, range]) => [
  name,
  (random) => random.repeat(1 + random.below(8), () => word(random, range) + random.pick(separators)),
]);

const faces = ['😀', '👩', '👨', '👧', '🏳️', '🇩🇪', '🇯🇵', '👍', '❤️', '1️⃣', '🧑🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'];
const joins = ['', '\u200d', '\u200d', '\ufe0f', '\u{1f3fd}', ' '];
const specials = [
  '<|endoftext|>',
  '<|endofprompt|>',
  '<|fim_prefix|>',
  '<|im_start|>',
  '<|endoftext|',
  '<|ENDOFTEXT|>',
  '|>',
  '<|',
];
const prototypeNames = Object.getOwnPropertyNames(Object.prototype);
const contractions = [
  "'s",
  "'S",
  "'t",
  "'RE",
  "'Re",
  "'ve",
  "'VE",
  "'m",
  "'ll",
  "'lL",
  "'D",
  "'ſ",
  "'x",
  '’s',
  "'",
];
const spaces = [
  ' ',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\u00a0',
  '\u0085',
  '\u2028',
  '\u3000',
  '\ufeff',
  '\v',
  '\f',
];
const codeWords = [
  'const',
  ' x',
  '=',
  ' =>',
  '{',
  '}',
  '();',
  '\n    ',
  '\n\t',
  '// ',
  '/* ',
  ' */',
  '"',
  '\\n',
  '0x1F',
  '[i]',
  '.map(',
  'HTTPServer',
  'getElementById',
  '_private',
  '__proto__',
  '&&',
  '||',
  '!=',
  '::',
  '#!',
  '/usr/bin',
  '$',
];
const chinese = [
  '我们',
  '的',
  '是',
  '不',
  '计划',
  '今天',
  '，',
  '。',
  '“',
  '”',
  '（',
  '）',
  '：',
  '模型',
  '上下文',
  '工具',
  'API',
];
const cases = [
  'a',
  'B',
  'É',
  'é',
  'ß',
  'ſ',
  'ǅ',
  'ʰ',
  '中',
  'ا',
  '\u0301',
  '\u0e4d',
  '²',
  'Ⅷ',
  '٣',
  "'s",
  ' ',
  '!',
];

const joined =
  (most: number, ...lists: readonly (readonly string[])[]): Make =>
  (random) =>
    random.repeat(1 + random.below(most), () => lists.map((list) => random.pick(list)).join(''));

export const oddKinds: readonly (readonly [string, Make])[] = [
  ...scriptKinds,
  ['emoji with joiners', joined(12, faces, joins)],
  ['a BOM inside text', joined(8, ['a', 'word', ' ', '\n', '1'], ['', '\ufeff', '\ufeff\ufeff', ' \ufeff'])],
  ['runs of NUL', joined(6, ['', 'a', ' ', '\n'], ['\0', '\0\0\0', '\0'.repeat(17)])],
  ['special tokens', joined(5, ['', ' ', 'text', '\n'], specials)],
  ['names of Object.prototype', joined(5, prototypeNames, ['', ' ', '.', '\n'])],
  ['lone surrogates', joined(10, ['\ud800', '\udfff', '\udc00\ud800', 'a', ' ', '😀', "'"])],
  ['contractions', joined(10, ['I', 'you', ' We', 'IT', 'é', '', '1', ' '], contractions)],
  ['white space', joined(14, spaces, ['', '', '', 'a', '!', '1'])],
  [
    'long white space',
    ({ repeat, below, pick }) => repeat(4, () => pick(spaces).repeat(below(90)) + pick(['', 'x', '/'])),
  ],
  [
    'line ends after symbols',
    joined(10, ['!', '/', ' /', '//', ');', '*/'], ['', '\n', '\r\n', '\n/', '\n\n']),
  ],
  ['case and marks', joined(12, cases)],
  ['digits', joined(12, ['1', '23', '456', '٣٤', '²', '①', '.', ' ', 'a'])],
  [
    'variation selectors',
    joined(10, ['a', '中', '☃', '1', ' '], ['\ufe0f', '\ufe0e', '\u{e0100}', '\u180b', '']),
  ],
  ['Hangul jamo', (random) => random.repeat(1 + random.below(20), () => between(random, 0x1100, 0x11ff))],
  [
    'Indic conjuncts',
    joined(10, ['क', 'ষ', 'ക', 'ක', ' '], ['\u094d', '\u09cd\u200d', '\u0d4d\u200c', 'ि', '']),
  ],
  ['direction marks', joined(10, ['א', 'ع', 'a', ' ', '1'], ['\u200f', '\u202e', '\u2066', '\u061c', ''])],
  [
    'mixed line ends',
    joined(12, ['', 'a', ' ', '!', '/'], ['\r', '\n', '\r\n', '\n\r', '\u2028', '\u2029', '\u0085']),
  ],
  [
    'unassigned and private',
    joined(8, ['a', ' ', "'"], ['\u0378', '\uffff', '\u{10ffff}', '\ue000', '\u{f0000}']),
  ],
  [
    'numbers of other scripts',
    joined(12, ['५', '௧', '໖', '𝟘', '½', '㊀', '〇', '１', '7'], ['', '', ' ', 'a']),
  ],
  [
    'contractions with what folds, joins or is half',
    joined(
      8,
      ['I', 'WE', '१', '\u0301', '\ud83d', '\udc00', '😀', 'ʻ', ''],
      ["'", "'", '’', ''],
      ['ſ', 'ſT', 'ſ\u0301', 's\u200d', 'Lſ', 'lL', 'vE\ud800', 'rĖ', '\u212a', 'İ', 'ı', 'm', 'D'],
      ['', ' ', "'"],
    ),
  ],
  [
    'what looks like space and what is',
    joined(
      12,
      ['', '', 'a', '1', '!', 'ᠠ', '/'],
      ['\u180e', '\u200b', '\u2028', '\u0085', '\u1680', '\u202f', '\u205f', '\ufeff', '\x1c', '\x1f'],
      ['', ' ', '\r\n', '\n\r', '\r', '  '],
    ),
  ],
  [
    'flags, families, keycaps, tags',
    joined(
      8,
      [
        '\u{1f1e6}',
        '\u{1f1e7}\u{1f1e8}',
        '👩\u200d👩\u200d👧',
        '❤️\u200d🔥',
        '#️⃣',
        '\u{1f3f4}\u{e0067}\u{e007f}',
        '🫱🏻',
      ],
      ['', '', '\u200d', '\ufe0f', '\u20e3', "'s", '\ud83c', ' ', '\n'],
    ),
  ],
  [
    'digits of several scripts in one run',
    joined(
      9,
      ['1', '२३', '٣', '۴۵۶', 'Ⅷ', '½', '〇', '𝟘', '²', '\u0e50', '\u{1e950}'],
      ['', '', '', '\u0301', '.'],
    ),
  ],
  ['code', joined(20, codeWords)],
  ['Chinese', joined(24, chinese)],
  [
    'random BMP',
    (random) => random.repeat(1 + random.below(24), () => String.fromCharCode(random.below(0x10000))),
  ],
  ['random Unicode', (random) => random.repeat(1 + random.below(24), () => between(random, 0, 0x10ffff))],
  ['random ASCII', (random) => random.repeat(1 + random.below(60), () => between(random, 0, 127))],
  ['one character often', (random) => between(random, 0x20, 0x2ff).repeat(1 + random.below(700))],
  [
    'long pieces',
    (random) => random.repeat(200 + random.below(400), () => random.pick(['a', 'b', 'aa', 'the', 'Z'])),
  ],
];
