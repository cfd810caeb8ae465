type File = { path: string };
type Reporter = {
  onTestFileStart: (file: File) => void;
  onTestCaseStart: (file: File, test: { fullName: string }) => void;
  onTestFileResult: (file: File) => void;
  report: () => void;
};
type Deps = { print: (line: string) => void; now: () => number };
// This reporter is JavaScript, because Jest loads reporters without transforming them.
const SlowTestReporter = jest.requireActual<new (config: object, options: object, deps: Deps) => Reporter>(
  '../../harness/slow-test-reporter',
);

describe('SlowTestReporter', () => {
  it('prints the test that has been running for a minute, and no test that has ended', () => {
    let now = 0;
    const lines: string[] = [];
    const reporter = new SlowTestReporter({}, {}, { print: (line) => void lines.push(line), now: () => now });
    reporter.onTestFileStart({ path: 'a.test.ts' });
    reporter.onTestFileStart({ path: 'b.test.ts' });
    reporter.onTestFileStart({ path: 'c.test.ts' });
    reporter.onTestCaseStart({ path: 'a.test.ts' }, { fullName: 'a hangs' });
    reporter.onTestFileResult({ path: 'b.test.ts' });
    now = 59_000;
    reporter.onTestCaseStart({ path: 'c.test.ts' }, { fullName: 'c goes on' });
    reporter.report();
    expect(lines).toEqual([]);
    now = 61_000;
    reporter.report();
    expect(lines).toEqual(['Running for 61 s: a.test.ts › a hangs']);
  });
});
