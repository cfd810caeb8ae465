import { foldText } from '../../../activities/scoring/fold';
import { numbersIn } from '../../../activities/scoring/numbers';
import { isInScriptOf } from '../../../activities/scoring/script';
import { languageCodes } from '../../../db/platform/vocabulary';

describe('numbersIn', () => {
  it.each([
    ['en', 'Often two of Forty-two thousand people', ['forty', 'thousand']],
    ['de', 'Helfen: achtundvierzig Prozent, dreißig Leute', ['achtundvierzig', 'dreissig']],
    ['es', 'Suficientes: veintiún clientes, cuarenta por ciento', ['veintiún', 'cuarenta', 'ciento']],
    ['fr', 'Un récent succès : quarante pour cent de trente', ['quarante', 'cent', 'trente']],
    ['tr', 'Onlar yüzde kırk altmış dedi', ['yüzde', 'kirk', 'altmiş']],
    ['ja', '十分に四十パーセント、三割', ['四十', '三割']],
    ['pl', 'czterdzieści 12', ['12']],
  ] as const)('finds digits and number words of %s', (language, text, numbers) => {
    expect(numbersIn(foldText(text), language)).toEqual(numbers);
  });

  it('takes linear time', () => {
    const from = performance.now();
    for (const language of languageCodes) numbersIn('zehncientosa'.repeat(20_000), language);
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

describe('isInScriptOf', () => {
  it.each([
    ['ja', '経験を示しました。', true],
    ['ja', 'Experience was shown.', false],
    ['ko', '경험을 보여 주었습니다.', true],
    ['zh', '展示了 Kubernetes 经验。', true],
    ['uk', 'Досвід показано.', true],
    ['uk', 'Experience was shown.', false],
    ['ar', 'أظهر خبرته.', true],
    ['fil', 'Ipinakita ang karanasan.', true],
    ['en', 'Досвід показано.', false],
    ['en', '', true],
  ] as const)('%s: %s is %s', (language, text, isIn) => {
    expect(isInScriptOf(language, text)).toBe(isIn);
  });

  it('knows the script of every language', () => {
    expect(() => languageCodes.map((language) => isInScriptOf(language, 'a'))).not.toThrow();
  });
});
