/* eslint-disable @typescript-eslint/no-require-imports -- the module that it stands in for is CommonJS */
// Stands in for the native `@vscode/spdlog` in VS Code's server build: without it nothing reaches an output
// channel. Its API, plainly: a line is appended to the file as it comes, files are not rotated.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
let globalLevel = 2;

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = globalLevel;
    this.raw = false;
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  write(level, message) {
    if (level < this.level || this.dropped) return;
    const stamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
    // Output channels write raw text that brings its own line ends.
    const line = this.raw ? message : `${stamp} [${LEVELS[level]}] ${message}\n`;
    try {
      appendFileSync(this.file, line);
    } catch {
      // The folder goes when a test is over; late lines have nowhere to go.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.raw = true;
  }
  flush() {}
  drop() {
    this.dropped = true;
  }
}

async function createRotatingLogger(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.setLevel = (level) => {
  globalLevel = level;
};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createRotatingLogger;
exports.createAsyncRotatingLogger = createRotatingLogger;
