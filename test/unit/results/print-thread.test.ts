import { createPrintThread } from '../../../activities/results/print-thread';
import { hostileAnswers } from '../../harness/taking/hostile-answers';
import { everySection, pageUrl, resultToPrint, turn } from '../../unit/results/result-pdf.fixture';

describe('the content of a PDF', () => {
  it('is prepared without blocking the event loop', async () => {
    const print = createPrintThread();
    const answers = hostileAnswers(20_000).map(([, answer]) => turn({ answer }));
    const source = resultToPrint({
      transcript: answers,
      candidate: {
        name: 'a\n'.repeat(100),
        email: 'a@b.example',
        phone: null,
        external_id: null,
      },
    });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const printed = await print(source, 'en', { ...everySection, anonymous: true }, { pageUrl });
    clearInterval(timer);
    expect(printed.sections).not.toEqual([]);
    // A blocked loop would have a few turns.
    expect(turns).toBeGreaterThan(20);
  });
});
