import { mkdtempSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProviderError } from '../../../activities/providers/provider-error';
import { createPatientModel } from '../../../bench/eval/patient-model';
import { intervalOf } from '../../../bench/eval/statistics';
import { scriptModel } from './script-model';

const newFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'eval-')), 'replies.jsonl');
const ask = (content: string) => ({
  name: 'answer_assessment',
  schema: {},
  messages: [{ role: 'user' as const, content }],
  timeoutMs: 1_000,
  signal: new AbortController().signal,
});
const busy = new ProviderError('the model', '429', { retryAfterMs: 7_000 });
const slow = new ProviderError('the model', 'timeout');

describe('the model of an evaluation', () => {
  it('waits as long as the provider asks, and repeats the call', async () => {
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const model = createPatientModel(scriptModel(busy, slow, 'yes').model, {
      file: newFile(),
      isFresh: false,
      pause,
    });
    expect((await model.complete(ask('a'))).content).toBe('yes');
    expect(pauses).toEqual([7_000, 2_000]);
  });

  it('makes no call again after a stop, tells samples with the same prompt apart, and begins again if it is asked to', async () => {
    const file = newFile();
    const wrongKey = new ProviderError('the model', '401', { retryable: false });
    const first = createPatientModel(scriptModel('one', 'two', wrongKey).model, { file, isFresh: false });
    const fence = (digit: string) => ask(`lines ${digit.repeat(24)}:\n${digit.repeat(24)}\nsaid`);
    await first.complete(fence('a'));
    await first.complete(fence('b'));
    await expect(first.complete(ask('c'))).rejects.toBe(wrongKey);
    appendFileSync(file, '{"key":"cut');

    const second = createPatientModel(scriptModel('three').model, { file, isFresh: false });
    const texts = [];
    for (const one of [fence('c'), fence('d'), ask('c')]) texts.push((await second.complete(one)).content);
    expect(texts).toEqual(['one', 'two', 'three']);
    expect(second.spent).toMatchObject({ calls: 3, kept: 2, promptTokens: 30 });

    const fresh = createPatientModel(scriptModel('four').model, { file, isFresh: true });
    expect((await fresh.complete(fence('e'))).content).toBe('four');
  });
});

describe('intervalOf', () => {
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
  it('is narrow for many items, has the figure inside, and is the same each time', () => {
    const few = [0, 1, 1, 1];
    const many = Array.from({ length: 100 }, () => few).flat();
    const [low, high] = intervalOf(many, mean);
    expect(low).toBeGreaterThan(0.7);
    expect(high).toBeLessThan(0.8);
    expect(intervalOf(few, mean)[0]).toBeLessThan(0.4);
    expect(intervalOf(many, mean)).toEqual([low, high]);
  });
});
