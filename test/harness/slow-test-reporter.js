const reportAfterMs = 60_000;

/** Prints the files and tests that have been running for more than a minute, so that a log names a test that hangs. */
module.exports = class SlowTestReporter {
  constructor(_, __, { print = console.error, now = Date.now } = {}) {
    this.running = new Map();
    this.print = print;
    this.now = now;
  }

  onRunStart() {
    this.timer = setInterval(() => this.report(), reportAfterMs);
    this.timer.unref();
  }

  onTestFileStart({ path }) {
    this.running.set(path, { since: this.now(), test: 'no test yet' });
  }

  onTestCaseStart({ path }, { fullName }) {
    this.running.set(path, { since: this.now(), test: fullName });
  }

  onTestFileResult({ path }) {
    this.running.delete(path);
  }

  onRunComplete() {
    clearInterval(this.timer);
  }

  report() {
    for (const [path, { since, test }] of this.running) {
      const seconds = Math.round((this.now() - since) / 1_000);
      if (seconds * 1_000 >= reportAfterMs) this.print(`Running for ${seconds} s: ${path} › ${test}`);
    }
  }
};
