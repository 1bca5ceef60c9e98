/** Strings that VS Code knows too: typed once here, compared with package.json by a test. */
export const debugType = 'loopscope';
export const fileScheme = 'loopscope';
export const agentLanguage = 'loopscope-agent';
export const agentGlob = '**/*.agent.json';

/** Journals by their names open here by themselves; any other log of requests, when it is asked for. */
export const editorTypes = { journal: 'loopscope.journal', log: 'loopscope.log' } as const;

export const commands = {
  chat: 'loopscope.chat',
  newChat: 'loopscope.newChat',
  debugAgent: 'loopscope.debugAgent',
  showRounds: 'loopscope.showRounds',
  showContext: 'loopscope.showContext',
  showTools: 'loopscope.showTools',
  setApiKey: 'loopscope.setApiKey',
  newAgent: 'loopscope.newAgent',
  editInEditor: 'loopscope.editInEditor',
  editHere: 'loopscope.editHere',
  askAgain: 'loopscope.askAgain',
  addMessage: 'loopscope.addMessage',
  removeMessage: 'loopscope.removeMessage',
  dropMessage: 'loopscope.dropMessage',
  restoreMessage: 'loopscope.restoreMessage',
  pinMessage: 'loopscope.pinMessage',
  unpinMessage: 'loopscope.unpinMessage',
  setParameter: 'loopscope.setParameter',
  resetParameter: 'loopscope.resetParameter',
  addCall: 'loopscope.addCall',
  removeCall: 'loopscope.removeCall',
  mockCall: 'loopscope.mockCall',
  skipCall: 'loopscope.skipCall',
  rejectCall: 'loopscope.rejectCall',
  showChange: 'loopscope.showChange',
  continueWithMore: 'loopscope.continueWithMore',
  runToRound: 'loopscope.runToRound',
  stopRules: 'loopscope.stopRules',
  stopOnVariable: 'loopscope.stopOnVariable',
  stopOnTool: 'loopscope.stopOnTool',
  showMemory: 'loopscope.showMemory',
  forgetMemory: 'loopscope.forgetMemory',
  openRun: 'loopscope.openRun',
  exportRun: 'loopscope.exportRun',
  deleteRun: 'loopscope.deleteRun',
  openFile: 'loopscope.openFile',
} as const;

export const contextKeys = {
  /** A session can be shown. */
  hasSession: 'loopscope.hasSession',
  /** An agent remembers something. */
  hasMemory: 'loopscope.hasMemory',
  /** A session of this window has a last run that a limit stopped. */
  stoppedAtLimit: 'loopscope.stoppedAtLimit',
  /** The checkpoint where the session that commands mean is paused in the present: `plan`, `reply`, …; empty elsewhere. */
  stop: 'loopscope.stop',
} as const;
