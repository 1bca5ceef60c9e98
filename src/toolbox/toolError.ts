/**
 * A failure that a tool expected: its message is written for the model, and says what to do instead.
 * Anything else that a tool throws goes back to the model too, but with the name of the error before it.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
