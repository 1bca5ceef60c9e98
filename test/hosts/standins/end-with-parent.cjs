// Preloaded into VS Code's server: it ends, with all that it started, when the process that started it is
// gone, even if that one was killed and could clean up nothing.
const parent = process.ppid;
if (process.platform !== 'win32') {
  setInterval(() => {
    if (process.ppid === parent) return;
    try {
      // The server leads a process group of its own; children that inherit this preload do not.
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      process.exit(1);
    }
  }, 1000).unref();
}
