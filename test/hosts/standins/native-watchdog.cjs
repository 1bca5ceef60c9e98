// Stands in for the native `native-watchdog` in VS Code's server build: the extension host ends when the
// server that started it has gone. (The native one also does so while the host is in an endless loop.)
exports.start = (pid) => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  }, 1000).unref();
};
exports.exit = (code) => process.exit(code ?? 0);
