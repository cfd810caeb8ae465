import express from 'express';
import { browserLanguage } from '../../../api/platform/portal/browser-language';

const languageOf = (header: string | undefined) =>
  browserLanguage(Object.assign(Object.create(express.request), { headers: { 'accept-language': header } }));

describe('browserLanguage', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl-NL,nl;q=0.9,en-US;q=0.8', 'nl'],
    ['pt-BR,pt;q=0.9', 'br'],
    ['pt', 'pt'],
    ['pt-PT,en;q=0.5', 'pt'],
    ['br', 'en'],
    ['br,fr;q=0.5', 'fr'],
    ['nb-NO,en;q=0.5', 'no'],
    ['nn', 'no'],
    ['no', 'no'],
    ['zh-TW', 'zh'],
    ['zh-Hant-HK,en;q=0.5', 'zh'],
    ['fil-PH', 'fil'],
    ['xx-Latn', 'en'],
    ['*', 'en'],
    ['de;q=0.1,*;q=0', 'de'],
    ['', 'en'],
    [undefined, 'en'],
    [`de${',xx'.repeat(160)}`, 'de'],
    // A header longer than any browser sends is ignored: choosing a language from one of 64 KiB took 200 ms.
    [`de${',xx'.repeat(170)}`, 'en'],
  ])('chooses for a header such as %.30s the language %s', (header, code) => {
    expect(languageOf(header)).toBe(code);
  });
});
