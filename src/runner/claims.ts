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

const writing =
  'created|wrote|rewrote|written|saved|generated|updated|edited|modified|changed|fixed|added|replaced|refactored|implemented|downloaded|copied';
const writingZh =
  '创建|新建|写入|写好|保存|生成|更新|修改|编辑|修复|修正|新增|添加|替换|重写|实现|更改|改成|下载|复制';

const kinds: readonly ClaimKind[] = [
  {
    effects: ['workspace', 'outside'],
    verbs: `${writing}|deleted|removed|renamed|moved|overwritten`,
    object: /\b(?:files?|folders?|director(?:y|ies)|scripts?)\b/i,
    verbsZh: `${writingZh}|删除|重命名|移动`,
    objectZh: /文件|目录|脚本/,
    writes: new RegExp(`\\b(?:${writing})\\b|${writingZh}`, 'i'),
  },
  {
    effects: ['outside'],
    verbs: 'sent|e-?mailed|posted|published',
    object: /\b(?:e-?mails?|mails?|messages?|invitations?|notifications?)\b/i,
    verbsZh: '发送|发出|寄出|发布|发了|发给',
    objectZh: /邮件|消息|邀请|通知/,
  },
  {
    effects: ['outside', 'workspace'],
    verbs: 'ran|run|executed|installed|deployed|restarted|built|compiled|committed|pushed',
    object:
      /\b(?:commands?|tests?|test suite|scripts?|packages?|programs?|dependenc(?:y|ies)|builds?|project|app|server|branch|commits?|linter|type ?checker|migrations?|changes|npm|npx|yarn|pnpm|pip|pytest|cargo|make|git|docker)\b|`[^`\n]+`/i,
    verbsZh: '运行|执行|安装|部署|跑|构建|编译|提交|推送',
    objectZh:
      /命令|测试|用例|脚本|程序|依赖|项目|代码|应用|服务|分支|生产环境|npm|pnpm|yarn|pip|git|pytest|cargo|`[^`\n]+`/,
    shown:
      /\b(?:(?:tests?|checks?)(?: suites?| cases?)?|builds?|compilation|lint(?:ing|er)?|type ?check(?:s|ing|er)?|CI)(?: (?:all|now|still|again|has|have|is|are))* (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|successful)(?=\s*(?:[^\p{L}\p{N}\s"'`“‘(]|$|now\b|again\b|too\b|and\b|with\b|successfully\b))|(?:测试|用例|构建|编译|检查)(?:已经?|都|全部|均|现在|也|运行|执行|，)*(?:通过|成功)|(?:脚本|命令|程序)(?:已经?|都|全部|均|也)*(?:运行|执行)成功/iu,
  },
  {
    effects: ['session', 'workspace', 'outside'],
    verbs: 'added|marked|completed|removed',
    object: /\b(?:to-?dos?|to-?do list)\b/i,
    verbsZh: '添加|加入|标记|完成|移除',
    objectZh: /待办|to-?do/i,
  },
];

/** Verbs of a sentence whose participle only describes its subject. */
const finite = 'is|are|was|were|can|could|must|should|will|have|has|had|need|needs|keep|keeps|may|might';
const adverbs = '(?:(?:just|now|also|already|successfully|then|gone ahead and|went ahead and) )*';
const saysEnglish = kinds.map(
  ({ verbs }) =>
    new RegExp(
      `\\b(?:I|We)(?:['’]ve| have)? ${adverbs}(?:${verbs})\\b` +
        `|\\b(?:I|We)(?:['’]ve| have)? (?:\\w+ed|made) (?:[\\w./-]+ ){1,6}and (?:then )?(?:${verbs})\\b` +
        `|\\b(?:has|have) (?:now |just |already )?been ${adverbs}(?:${verbs})\\b(?! by\\b)` +
        `|\\b(?:is|are) now (?:${verbs})\\b` +
        `|\\bsuccessfully (?:${verbs})\\b|\\b(?:${verbs}) successfully\\b` +
        // "Run the tests" asks for it; "Updated files are listed" and "Written by hand" tell of others.
        `|^(?:(?:done|ok|okay|all set)\\b\\W*)?(?!run\\b|\\w+ by\\b|\\w+(?: [\\w-]+){1,3} (?:${finite})\\b)(?:${verbs})\\b`,
      'i',
    ),
);
const saysChinese = kinds.map(
  ({ verbsZh }) =>
    new RegExp(
      `(?:(?<![你您他她它们])已(?!知|被|有)经?|刚刚|成功).{0,24}?(?:${verbsZh})|我.{0,24}?(?:${verbsZh})(?:好|完)?了`,
    ),
);
const negation =
  /\b(?:not|never|unable|cannot|failed|without|nothing|no)\b|n['’]t\b|没有|没能|尚未|未能|无法|不能|失败|并未/i;

/** What is wished, asked, supposed or said by others is not claimed. */
const supposed =
  /\b(?:if|once|before|according to|(?:logs?|README|example)(?![.\w])|when|whether|until|unless|should|would|will|can|could|must|might|may|need|needs|ensure|make sure|so that|to see|says?|said|expect(?:ed|s)?|verify|check that|confirm)\b|\?|如果|若|请|确认|是否|吗|应该|应当|将会|才能|后再|之后|需要|假如|一旦|直到|确保|日志|显示|表示|说|据|例如/i;

/** The claims of an answer; code blocks and quotations are not the answer's own words. */
export function claimsIn(answer: string): Claim[] {
  const own = answer
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/^\s*>.*$/gm, '')
    .replace(quotation, (text) => (/^.[\w./-]+.$/.test(text) ? text : '“”'));
  const sentences = own
    .split(/(?<=[.!?:;])\s+|(?<=[。！？；])|\n+/)
    .map((text) => text.replace(ornament, '').trim());
  return sentences.flatMap((text) => (text === '' || negation.test(text) ? [] : claimsOf(text)));
}

/** In one line, and not longer than a sentence or two; a lone name in quotes is a name. */
const quotation = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|«[^»\n]{1,300}»/g;
/** What stands before the words of a line: a bullet, a tick, a star. */
const ornament = /^[^\p{L}\p{N}`"“]+/u;

function claimsOf(text: string): Claim[] {
  const named = [...new Set(text.match(path) ?? [])];
  return kinds.flatMap((kind, index) => {
    const isAboutFiles = kind.writes !== undefined && named.length > 0;
    // The object first: its pattern is small, and most sentences have none.
    const english = (isAboutFiles || kind.object.test(text)) && isSaid(text, saysEnglish[index]!);
    const chinese = (isAboutFiles || kind.objectZh.test(text)) && isSaid(text, saysChinese[index]!);
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

/** Whether it is said as a fact: no question, and nothing before it that makes it another's word or a condition. */
function isSaid(text: string, says: RegExp): boolean {
  const at = text.search(says);
  return at >= 0 && !/[?？吗]\W*$/.test(text) && !supposed.test(text.slice(0, at));
}

/** Whether an answer says that something did not work: then it claims no success. */
export function admitsFailure(answer: string): boolean {
  return admission.test(answer.replace(noFailure, ''));
}

/** Words for failures that say there are none (any more). */
const noFailure =
  /\b(?:no|without|zero|free of)(?: any| further| more)? (?:errors?|problems?|failures?)\b|\bfixed (?:(?:the|all|this|that|these|those) )?(?:\w+ )?(?:errors?|problems?|failures?)\b|\berror[- ]handling\b|没有?(?:任何|出现|发现)*(?:问题|错误|报错)/gi;

const admission =
  /\b(?:fail(?:ed|s|ure|ures)?|errors?|unable|cannot|can not|could not|not|no such|unfortunately|sorry|problems?|rejected|skipped|denied|refused|timed out|time-?out|unknown|invalid|missing|nothing|wrong)\b|n['’]t\b|失败|错误|无法|不能|没能|没有|未能|抱歉|不存在|拒绝|跳过|超时|不可用|出错|(?:出|有|遇到|发生|存在).{0,4}问题|[找读写连看打做得]不[到了上开]/i;
