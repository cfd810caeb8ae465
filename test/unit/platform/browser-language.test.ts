import express from 'express';
import { browserLanguage } from '../../../api/platform/portal/browser-language';

const languageOf = (header: string | undefined) =>
  browserLanguage(Object.assign(Object.create(express.request), { headers: { 'accept-language': header } }));

describe('browserLanguage', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nb-NO', 'no'],
    ['xx', 'en'],
    [undefined, 'en'],
    [`de${',xx'.repeat(160)}`, 'de'],
    // No browser sends so much, and choosing from 64 KiB took 200 ms.
    [`de${',xx'.repeat(170)}`, 'en'],
  ])('chooses for a header such as %.30s the language %s', (header, code) => {
    expect(languageOf(header)).toBe(code);
  });
});
