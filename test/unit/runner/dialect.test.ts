/** C11: a field that the server does not take is left out or renamed, once, visibly, and for the session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../../src/session/session.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import * as z from 'zod';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import {
  json,
  repliesCalls,
  repliesText,
  type ScriptedAnswer,
  streamed,
} from '../../doubles/scriptedServer.ts';
import { anomalyCodes, eventsOf, runOnServer, type SentBody } from '../../doubles/serverRun.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';

const done = repliesText('done');
const has = (field: string) => (body: SentBody) => field in body;

/** Ways of saying that a field is not taken. */
const wordings: Readonly<Record<string, (field: string) => ScriptedAnswer>> = {
  'code and param': (field) =>
    json(400, {
      error: {
        type: 'invalid_request_error',
        code: 'unsupported_parameter',
        param: field,
        message: 'see the manual',
      },
    }),
  'text only': (field) =>
    json(400, { error: { message: `Unsupported parameter: '${field}' is not supported with this model.` } }),
  'plain text': (field) => ({ status: 400, body: [`Unrecognized request argument supplied: ${field}`] }),
  'a 422 with a place': (field) =>
    json(422, {
      detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
    }),
  'a 422 with words': (field) => json(422, { message: `body.${field}: Extra inputs are not permitted` }),
  'a gateway that wraps it': (field) =>
    json(400, {
      error: {
        message: `litellm.UnsupportedParamsError: provider does not support parameters: ['${field}'], for model=m.`,
        type: 'None',
        param: 'None',
        code: '400',
      },
    }),
  'an error inside an error': (field) =>
    json(400, {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: JSON.stringify({ error: { message: `${field} is not allowed`, param: field } }) },
      },
    }),
  'JSON in a message': (field) =>
    json(500, {
      error: {
        message: `Error code: 400 - ${JSON.stringify({ error: { code: 'unknown_parameter', param: field, message: 'no' } })}`,
      },
    }),
  'a Python server': (field) =>
    json(500, { error: { message: `create() got an unexpected keyword argument '${field}'` } }),
  'inside a 200 stream': (field) =>
    streamed([{ error: { message: `The parameter ${field} is not supported.`, code: 400 } }]),
};

const settings = {
  parameters: {
    max_tokens: 500,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    top_p: 0.9,
    stop: ['END'],
    seed: 7,
  },
};

for (const [wording, say] of Object.entries(wordings)) {
  for (const field of [
    'temperature',
    'stream_options',
    'max_tokens',
    'parallel_tool_calls',
    'tool_choice',
    'top_p',
    'stop',
    'seed',
    'stream',
  ]) {
    test(`C11: ${field} is refused by ${wording}`, async (t) => {
      const { sent, outcome, session, server } = await runOnServer(t, {
        script: [done],
        settings,
        refuse: (body) => (has(field)(JSON.parse(body) as SentBody) ? say(field) : undefined),
      });
      assert.equal(outcome, 'done');
      assert.equal(server.requests.length, 2);
      const [first, second] = sent;
      assert.ok(first && second && field in first && !(field in second));
      const dependent = field === 'stream' ? ['stream_options'] : [];
      const expected = Object.keys(first).filter((name) => name !== field && !dependent.includes(name));
      if (field === 'max_tokens') expected.push('max_completion_tokens');
      assert.deepEqual(Object.keys(second).sort(), expected.sort());
      assert.equal(second['max_completion_tokens'], field === 'max_tokens' ? 500 : undefined);
      assert.deepEqual(anomalyCodes(session).filter((code) => code === 'request-rewritten').length, 1);
      const rewritten = eventsOf(session, 'edited').filter(({ by }) => by === 'repair');
      assert.equal(rewritten[0]?.target, `request/${field}`);
      // What the value was stands in the journal, whoever set it.
      assert.deepEqual(
        JSON.parse(session.state.parts.get(rewritten[0].before ?? '') ?? 'null'),
        first[field],
      );
    });
  }
}

const roleRefusals: Readonly<Record<string, ScriptedAnswer>> = {
  param: json(400, {
    error: {
      message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      param: 'messages[0].role',
      code: 'unsupported_value',
    },
  }),
  text: json(400, { error: { message: 'System role not supported' } }),
  variant: json(422, {
    detail: 'messages[0].role: unknown variant `system`, expected one of `developer`, `user`',
  }),
};
for (const [wording, answer] of Object.entries(roleRefusals)) {
  test(`C11: the role of the instructions is refused by ${wording}`, async (t) => {
    const script = [repliesCalls([{ name: 'calculator', arguments: { expression: '1+1' }, id: 'a' }]), done];
    const { sent, outcome, session } = await runOnServer(t, {
      script,
      refuse: (body) => ((JSON.parse(body) as SentBody).messages[0]?.role === 'system' ? answer : undefined),
    });
    assert.equal(outcome, 'done');
    // One refusal for the session, not one a round.
    assert.deepEqual(
      sent.map(({ messages }) => messages[0]?.role),
      ['system', 'developer', 'developer'],
    );
    assert.deepEqual(anomalyCodes(session), ['request-rewritten', 'role-rewritten']);
  });
}

test('C11: several fields named in one refusal are one rewrite', async (t) => {
  const { sent, outcome, session } = await runOnServer(t, {
    script: [done],
    settings,
    refuse: (body) =>
      has('temperature')(JSON.parse(body) as SentBody)
        ? json(400, { error: { message: "provider does not support parameters: ['temperature', 'top_p']" } })
        : undefined,
  });
  assert.equal(outcome, 'done');
  assert.ok(!('temperature' in sent[1]!) && !('top_p' in sent[1]!) && 'seed' in sent[1]!);
  assert.equal(anomalyCodes(session).length, 1);
});

const always: Readonly<Record<string, (body: SentBody) => ScriptedAnswer>> = {
  'the same field for ever': () =>
    json(400, {
      error: { code: 'unsupported_parameter', param: 'temperature', message: 'no temperature, final' },
    }),
  'max_tokens under either name': (body) => {
    const field = Object.keys(body).find((name) => name.startsWith('max_')) ?? 'seed';
    return json(400, { error: { message: `Unsupported parameter: '${field}', final` } });
  },
  'another field each time': (body) =>
    json(400, {
      error: {
        message: `Unsupported parameter: '${Object.keys(body).find((name) => name !== 'model' && name !== 'messages')}', final`,
      },
    }),
  'no field by name': () => json(400, { error: { message: 'I do not like it, final' } }),
  'what can not be left out': () =>
    json(400, { error: { code: 'unsupported_parameter', param: 'tools', message: 'no tools, final' } }),
};
for (const [what, say] of Object.entries(always)) {
  test(`C11: a server that refuses ${what} ends with its message`, async (t) => {
    const { server, outcome, why } = await runOnServer(t, {
      script: [],
      settings,
      refuse: (body) => say(JSON.parse(body) as SentBody),
    });
    assert.equal(outcome, 'failed');
    assert.match(why, /final/);
    assert.ok(server.requests.length <= 4, `${server.requests.length} requests`);
  });
}

test('C11: a refusal of a value is for the user to correct: nothing is rewritten', async (t) => {
  for (const message of [
    'max_tokens must be at most 4096',
    'temperature must be between 0 and 1',
    'max_tokens is too large: 99999. This model supports at most 4096 completion tokens.',
  ]) {
    const { server, outcome, why } = await runOnServer(t, {
      script: [],
      settings,
      refuse: () => json(400, { error: { message } }),
    });
    assert.equal(outcome, 'failed');
    assert.ok(why.includes(message));
    assert.equal(server.requests.length, 1);
  }
});

const noTemperature = (body: string) =>
  has('temperature')(JSON.parse(body) as SentBody)
    ? json(400, { error: { code: 'unsupported_parameter', param: 'temperature', message: 'no' } })
    : undefined;

test('C11: remembered for the session, also after it was reopened; another value is tried anew', async (t) => {
  const first = await runOnServer(t, { script: [done, done, done], refuse: noTemperature });
  const { server, session } = first;
  assert.equal(first.sent.length, 2);
  const again = await runOnServer(t, { script: [], server, session });
  assert.equal(again.sent.length, 1);
  assert.ok(!('temperature' in again.sent[0]!));
  const reopened = openSession(createJournal({ clock: createFixedClock(), past: session.journal.events }), {
    id: 's-test',
    agent: 'test.agent.json',
  });
  const third = await runOnServer(t, { script: [], server, session: reopened });
  assert.equal(third.sent.length, 1);
});

test('C11: a value that the user set since is not left out in silence', async (t) => {
  const { server, session } = await runOnServer(t, { script: [done, done], refuse: noTemperature });
  const hotter = await runOnServer(t, { script: [], server, session, settings: { temperature: 1 } });
  assert.deepEqual(
    hotter.sent.map((body) => body['temperature']),
    [1, undefined],
  );
  assert.equal(anomalyCodes(session).length, 2);
});

test('C11: what one model refuses, its neighbour behind the same URL still gets', async (t) => {
  const refuse = (body: string) =>
    (JSON.parse(body) as SentBody)['model'] === 'odd' ? noTemperature(body) : undefined;
  const { server, session } = await runOnServer(t, {
    script: [done, done],
    settings: { model_name: 'odd' },
    refuse,
  });
  const neighbour = await runOnServer(t, { script: [], server, session, settings: { model_name: 'even' } });
  assert.equal(neighbour.sent[0]?.['temperature'], 0.3);
});

test('C11: a field of assistant messages that the server gave and then refuses', async (t) => {
  const script = [
    repliesCalls([{ name: 'calculator', arguments: { expression: '1+1' }, id: 'a' }], {
      reasoning_content: 'hm',
    }),
    done,
  ];
  const { outcome, sent } = await runOnServer(t, { script, refuse: strictRefusal });
  assert.equal(outcome, 'done');
  assert.deepEqual(
    sent.map(({ messages }) => messages.some((message) => 'reasoning_content' in message)),
    [false, true, false],
  );
});

test('C11: strict tools are sent without strict where it is refused', async (t) => {
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    effects: 'none',
    strict: true,
    input: z.strictObject({ at: z.string() }),
    run: () => 'seen',
  });
  const { sent, outcome } = await runOnServer(t, {
    script: [done],
    tools: [tool],
    refuse: (body) =>
      body.includes('"strict"')
        ? json(400, {
            error: {
              message: "Unknown parameter: 'tools[0].function.strict'.",
              param: 'tools[0].function.strict',
            },
          })
        : undefined,
  });
  assert.equal(outcome, 'done');
  assert.match(JSON.stringify(sent[0]?.['tools']), /"strict":true/);
  assert.doesNotMatch(JSON.stringify(sent[1]?.['tools']), /strict/);
});

test('C12: a server that takes ids of nine letters and digits gets them, in calls and results, from then on', async (t) => {
  const idsOf = ({ messages }: SentBody) =>
    messages.flatMap((message): string[] =>
      message.role === 'tool'
        ? [message['tool_call_id'] as string]
        : ((message['tool_calls'] ?? []) as { id: string }[]).map(({ id }) => id),
    );
  const refuse = (body: string) => {
    const bad = idsOf(JSON.parse(body) as SentBody).find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
    if (bad === undefined) return strictRefusal(body);
    const message = `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`;
    return json(400, { object: 'error', message, type: 'invalid_function_call', param: null, code: '3280' });
  };
  const add = { name: 'calculator', arguments: { expression: '1 + 2' } };
  const script = [
    repliesCalls([{ ...add, id: 'call_0fypS1hVX' }]),
    repliesCalls([
      { ...add, id: 'aB3xK9mP2' },
      { ...add, arguments: { expression: '3 + 4' }, id: 'call_0fypS1hVX' },
    ]),
    done,
  ];
  const { outcome, server, sent, session } = await runOnServer(t, { script, refuse });
  assert.equal(outcome, 'done');
  assert.equal(server.refusals, 1);
  const [first = '', , own, again = '', ...results] = idsOf(sent.at(-1)!);
  assert.equal(own, 'aB3xK9mP2');
  assert.deepEqual(results, [own, again]);
  assert.notEqual(again, first);
  assert.deepEqual(
    anomalyCodes(session).filter((code) => code === 'request-rewritten'),
    ['request-rewritten'],
  );
  assert.ok(sent.slice(2).every((body) => idsOf(body).every((id) => id.length === 9)));
});
