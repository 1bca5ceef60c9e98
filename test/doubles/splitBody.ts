/** A request body taken apart without looking at how ours are put together: by what stands between brackets. */

/** The text before the messages, each message's, and the text behind them, as they stand in the body. */
export function splitBody(body: string): string[] {
  const open = body.indexOf('"messages":[') + '"messages":['.length;
  const texts = [body.slice(0, open)];
  let [depth, start, quoted] = [0, open, false];
  for (let at = open; at < body.length; at++) {
    const sign = body[at];
    if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
      continue;
    }
    if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (depth === 0 && (sign === ',' || sign === ']')) {
      texts.push(body.slice(start, at));
      start = at + 1;
      if (sign === ']') break;
    } else if (sign === '}' || sign === ']') depth--;
  }
  // What follows in two: parameters change where tools stay.
  const tools = body.indexOf(',"tools":', start);
  return tools < 0 ? [...texts, body.slice(start)] : [...texts, body.slice(start, tools), body.slice(tools)];
}
