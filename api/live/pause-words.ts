import type { LanguageCode } from '../../db/platform/vocabulary';

/**
 * For each language: words after which people go on although a transcript may end with a full stop (`open`), and phrases with
 * which they ask for time to think (`moment`), all in small letters.
 */
const words: Record<LanguageCode, readonly [open: string, moment: string]> = {
  ar: ['و ثم لكن لأن أو إذا يعني أن إن في من', 'دعني أفكر|لحظة|لحظة واحدة|لحظة من فضلك|دقيقة'],
  bg: ['и но защото или че ако така ами ъъ в на за', 'нека помисля|един момент|момент|секунда'],
  zh: ['和 但是 因为 所以 或者 然后 就是 那个 如果', '让我想想|我想一下|等一下|稍等|稍等一下'],
  hr: [
    'i ali jer ili da ako pa ovaj hm u na za',
    'da razmislim|trenutak|samo trenutak|jedan trenutak|samo malo',
  ],
  cs: [
    'a ale protože nebo že když tak prostě ehm v na pro',
    'nechte mě přemýšlet|moment|okamžik|chvilku|chviličku',
  ],
  da: [
    'og men fordi eller at hvis så altså øh øhm i på for',
    'lad mig tænke|et øjeblik|lige et øjeblik|to sekunder',
  ],
  nl: [
    'en maar omdat of dat als dus eh uh uhm in op voor',
    'laat me even denken|even denken|een moment|momentje|een ogenblik',
  ],
  en: [
    "and but because or that if so then uh um er like well the a to of with for in i i'm we it's",
    'let me think|let me think about it|let me think about that|one moment|one second|just a moment|just a second|give me a moment|give me a second|hold on',
  ],
  fil: ['at pero kasi o na kung tapos ano sa ng', 'sandali lang|sandali|teka|teka lang|pag-isipan ko'],
  fi: [
    'ja mutta koska tai että jos niin eli öö niinku',
    'anna kun mietin|antakaa kun mietin|hetki|hetkinen|pieni hetki',
  ],
  fr: [
    'et mais parce que car ou donc si alors euh ben de à le la les un une pour avec',
    'laissez-moi réfléchir|laissez moi réfléchir|je réfléchis|un instant|une seconde|un moment|attendez',
  ],
  de: [
    'und aber weil oder dass wenn also äh ähm öhm halt dann der die das ein eine mit für in zu',
    'lassen sie mich nachdenken|lassen sie mich überlegen|lass mich nachdenken|lass mich überlegen|ich überlege kurz|moment|einen moment|einen moment bitte|einen augenblick|kurz überlegen',
  ],
  el: [
    'και αλλά γιατί επειδή ή ότι αν λοιπόν ε στο για',
    'αφήστε με να σκεφτώ|να σκεφτώ λίγο|μια στιγμή|ένα λεπτό',
  ],
  hi: ['और लेकिन क्योंकि या कि अगर तो मतलब', 'मुझे सोचने दीजिए|सोचने दीजिए|एक मिनट|एक क्षण|ज़रा रुकिए'],
  hu: [
    'és de mert vagy hogy ha tehát szóval öö izé a az',
    'hadd gondolkodjak|gondolkodom egy kicsit|egy pillanat|egy pillanatot|várjon',
  ],
  id: [
    'dan tapi tetapi karena atau bahwa kalau jadi terus eh yang di ke',
    'coba saya pikir dulu|saya pikir dulu|sebentar|tunggu sebentar|sebentar ya',
  ],
  it: [
    'e ma perché o che se quindi allora ehm di a il la per con',
    'mi faccia pensare|fammi pensare|un momento|un attimo|un secondo',
  ],
  ja: [
    'て で が けど から ので と また あと えっと あの それで',
    '考えさせてください|少し考えます|ちょっと待ってください|少々お待ちください|ちょっと待って',
  ],
  ko: [
    '그리고 하지만 그런데 왜냐하면 또는 그래서 음 어 그',
    '생각 좀 해볼게요|생각해 볼게요|잠시만요|잠깐만요|잠시만',
  ],
  ms: [
    'dan tapi tetapi kerana atau bahawa kalau jadi lepas yang di ke',
    'biar saya fikir|saya fikir dulu|sekejap|sebentar|tunggu sekejap',
  ],
  no: ['og men fordi eller at hvis så altså eh øh i på for', 'la meg tenke|et øyeblikk|vent litt|et sekund'],
  pl: [
    'i ale bo ponieważ albo lub że jeśli więc czyli eee yyy w na do z',
    'niech pomyślę|muszę pomyśleć|chwileczkę|moment|momencik|sekundę|chwilę',
  ],
  pt: [
    'e mas porque ou que se então hum de a o para com',
    'deixe-me pensar|deixa-me pensar|um momento|um segundo|só um momento',
  ],
  br: [
    'e mas porque ou que se então hum né de a o para pra com',
    'deixa eu pensar|deixe-me pensar|um momento|um segundo|só um momento|só um minuto',
  ],
  ro: [
    'și dar pentru că sau dacă deci ăă în la cu',
    'lăsați-mă să mă gândesc|să mă gândesc|un moment|o clipă|o secundă',
  ],
  ru: [
    'и но потому что или если так ну эм э в на с для',
    'дайте подумать|сейчас подумаю|одну минуту|минутку|секунду|секундочку|один момент',
  ],
  sk: [
    'a ale pretože lebo alebo že ak tak proste ehm v na pre',
    'nechajte ma rozmýšľať|moment|okamih|chvíľu|chvíľku',
  ],
  es: [
    'y pero porque o que si entonces pues eh este de a el la para con',
    'déjeme pensar|déjame pensar|un momento|un segundo|espere|espera',
  ],
  sv: [
    'och men för eftersom eller att om så alltså öh eh i på',
    'låt mig tänka|ett ögonblick|en sekund|vänta lite',
  ],
  ta: ['மற்றும் ஆனால் ஏனெனில் அல்லது என்று', 'யோசிக்க விடுங்கள்|ஒரு நிமிடம்|கொஞ்சம் பொறுங்கள்'],
  th: ['และ แต่ เพราะ หรือ ว่า ถ้า ก็ แล้ว คือ เอ่อ', 'ขอคิดก่อน|ขอคิดสักครู่|สักครู่|รอสักครู่|แป๊บนึง'],
  tr: [
    've ama çünkü veya ki eğer yani şey ıı ile için',
    'bir düşüneyim|düşüneyim|bir dakika|bir saniye|bir an',
  ],
  uk: [
    'і й але бо тому що або якщо так ну ем в на з для',
    'дайте подумати|зараз подумаю|хвилинку|секунду|секундочку|одну хвилину',
  ],
  vi: [
    'và nhưng vì hoặc là nếu thì mà ờ của',
    'để tôi nghĩ|để em nghĩ|cho tôi suy nghĩ|chờ một chút|một chút|đợi một chút',
  ],
};

const split = Object.fromEntries(
  Object.entries(words).map(([code, [open, moment]]) => [
    code,
    { open: open.split(' '), moment: moment.split('|') },
  ]),
) as Record<LanguageCode, { open: string[]; moment: string[] }>;

/** Returns the words of a language that say whether an answer goes on. */
export const wordsOf = (language: LanguageCode): { open: string[]; moment: string[] } => split[language];
