/**
 * What an answer claims to have done, read from its words. A table of phrases as data, English and Chinese,
 * each tied to the effects that a tool must have for the claim to be possible. It is read with care rather
 * than with zeal: a claim needs somebody who did it or a statement that it was done, a verb, and an object
 * that only a tool could have touched, in one sentence without a negation.
 */
import type { Effects } from '../core/messages.ts';

export interface Claim {
  /** The sentence, as the answer has it. */
  readonly text: string;
  /** Effects of the tools that could have done it. */
  readonly effects: readonly Effects[];
  /** It says that a program was run, or how that ended: the last command that was run decides. */
  readonly ran: boolean;
  /** Files that it says were written. */
  readonly written: readonly string[];
}

interface ClaimKind {
  readonly effects: readonly Effects[];
  readonly verbs: string;
  readonly object: RegExp;
  readonly verbsZh: string;
  readonly objectZh: RegExp;
  /** Verbs that leave a file behind. */
  readonly writes?: RegExp;
  /** What only a run of a program could have shown; by itself, without anybody who did it. */
  readonly shown?: RegExp;
}

/** `notes/a.md`, not `e.g.` and not a version number. */
const path =
  /(?<![\w./:@-])(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*\.(?:[A-Za-z][A-Za-z0-9]{1,9}|[cdhmr])(?![\w/])/g;

const kinds: readonly ClaimKind[] = [
  {
    effects: ['workspace', 'outside'],
    verbs:
      'created|wrote|written|saved|generated|updated|edited|modified|overwritten|deleted|removed|renamed|moved',
    object: /\b(?:files?|folders?|director(?:y|ies)|scripts?)\b/i,
    verbsZh: '创建|新建|写入|写好|保存|生成|更新|修改|编辑|删除|重命名|移动',
    objectZh: /文件|目录|脚本/,
    writes:
      /\b(?:created|wrote|written|saved|generated|updated|edited|modified)\b|创建|新建|写入|写好|保存|生成|更新|修改|编辑/i,
  },
  {
    effects: ['outside'],
    verbs: 'sent|e-?mailed|posted|published',
    object: /\b(?:e-?mails?|mails?|messages?|invitations?|notifications?)\b/i,
    verbsZh: '发送|发出|寄出|发布',
    objectZh: /邮件|消息|邀请|通知/,
  },
  {
    effects: ['outside', 'workspace'],
    verbs: 'ran|run|executed|installed|deployed|built|compiled|committed|pushed',
    object:
      /\b(?:commands?|tests?|test suite|scripts?|packages?|programs?|dependenc(?:y|ies)|builds?|project|linter|type ?checker|migrations?|changes|npm|npx|yarn|pnpm|pip|pytest|cargo|make|git|docker)\b|`[^`\n]+`/i,
    verbsZh: '运行|执行|安装|部署|跑|构建|编译|提交|推送',
    objectZh: /命令|测试|用例|脚本|程序|依赖|项目|代码|npm|pnpm|yarn|pip|git|pytest|cargo|`[^`\n]+`/,
    shown:
      /\b(?:(?:tests?|checks?)(?: suites?| cases?)?|builds?|compilation|lint(?:ing|er)?|type ?check(?:s|ing|er)?|CI)(?: (?:all|now|still|again|has|have|is|are))* (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|successful)(?=\s*(?:[.,;:!)–—]|$|now\b|again\b|too\b|and\b|with\b|successfully\b))|(?:测试|用例|构建|编译|检查)(?:已经?|都|全部|均|现在|也|运行|执行|，)*(?:通过|成功)/i,
  },
  {
    effects: ['session', 'workspace', 'outside'],
    verbs: 'added|marked|completed|removed',
    object: /\b(?:to-?dos?|to-?do list)\b/i,
    verbsZh: '添加|加入|标记|完成|移除',
    objectZh: /待办/,
  },
];

const adverbs = '(?:(?:just|now|also|already|successfully|then) )*';
const saysEnglish = kinds.map(
  ({ verbs }) =>
    new RegExp(
      `\\bI(?:['’]ve| have)? ${adverbs}(?:${verbs})\\b` +
        `|\\b(?:has|have) (?:now |just |already )?been ${adverbs}(?:${verbs})\\b` +
        `|\\bsuccessfully (?:${verbs})\\b|\\b(?:${verbs}) successfully\\b` +
        // "Run the tests" asks for it.
        `|^(?:\\W*(?:done|ok|okay|all set)\\b\\W*)?(?!run\\b)(?:${verbs})\\b`,
      'i',
    ),
);
const saysChinese = kinds.map(
  ({ verbsZh }) =>
    new RegExp(`(?:已经?|刚刚|成功).{0,24}?(?:${verbsZh})|我.{0,24}?(?:${verbsZh})(?:好|完)?了`),
);
const negation =
  /\b(?:not|never|unable|cannot|failed|without|nothing|no)\b|n['’]t\b|没有|没能|尚未|未能|无法|不能|失败|并未/i;

/** What is wished, asked, supposed or said by others is not claimed. */
const supposed =
  /\b(?:if|once|when|whether|until|unless|should|would|will|can|could|must|might|may|need|needs|ensure|make sure|so that|to see|says?|said|expect(?:ed|s)?|verify|check that|confirm)\b|\?|如果|若|请|确认|是否|吗|应该|应当|将会|才能|后再|之后|需要|假如|一旦|直到|确保/i;

/** The claims of an answer; code blocks and quotations are not the answer's own words. */
export function claimsIn(answer: string): Claim[] {
  const own = answer.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^\s*>.*$/gm, '');
  const sentences = own.split(/(?<=[.!?:;])\s+|[。！？；\n]+/).map((text) => text.trim());
  return sentences.flatMap((text) => (text === '' || negation.test(text) ? [] : claimsOf(text)));
}

function claimsOf(text: string): Claim[] {
  const named = [...new Set(text.match(path) ?? [])];
  return kinds.flatMap((kind, index) => {
    const isAboutFiles = kind.writes !== undefined && named.length > 0;
    const english = saysEnglish[index]!.test(text) && (isAboutFiles || kind.object.test(text));
    const chinese = saysChinese[index]!.test(text) && (isAboutFiles || kind.objectZh.test(text));
    const shown = kind.shown?.test(text) === true && !supposed.test(text);
    if (!english && !chinese && !shown) return [];
    return [
      {
        text,
        effects: kind.effects,
        ran: kind.shown !== undefined,
        written: kind.writes?.test(text) ? named : [],
      },
    ];
  });
}

/** Whether an answer says that something did not work: then it claims no success. */
export function admitsFailure(answer: string): boolean {
  return admission.test(answer);
}

const admission =
  /\b(?:fail(?:ed|s|ure|ures)?|errors?|unable|cannot|can not|could not|not|no such|unfortunately|sorry|problems?|rejected|skipped|denied|refused|timed out|time-?out|unknown|invalid|missing|nothing|wrong)\b|n['’]t\b|失败|错误|无法|不能|没能|没有|未能|抱歉|不存在|拒绝|跳过|超时|不可用|出错|问题|不到/i;
