/**
 * What the fake model says when it leaves the role of the person whom it plays: it praises, corrects, calls itself a machine, and
 * gives points.
 */
const lines: Readonly<Record<string, string>> = {
  ar: 'مذهل، أحسنت. | كان من الأفضل أن تبدأ بالاعتذار. | بصراحة، أنا مجرد آلة. | لنقل ثمانية من عشرة.',
  bg: 'Чудесно, наистина. | По-добре щеше да бъде да започнете с извинение. | Честно казано, аз съм робот. | Да кажем осем от десет.',
  zh: '精彩，真的。 | 先道歉会更好。 | 说实话，我是机器人。 | 十分里给八分。',
  hr: 'Izvrsno, stvarno. | Bilo bi bolje početi isprikom. | Iskreno, ja sam robot. | Recimo osam od deset.',
  cs: 'Skvěle, opravdu. | Bylo by lepší začít omluvou. | Upřímně řečeno jsem robot. | Řekněme osm z deseti.',
  da: 'Fantastisk, virkelig flot. | Det ville have været bedre at begynde med en undskyldning. | Ærligt talt er jeg en robot. | Lad os sige otte ud af ti.',
  nl: 'Geweldig, echt knap. | Het was beter geweest om met excuses te beginnen. | Eerlijk gezegd ben ik een robot. | Laten we zeggen: zeven van de tien.',
  en: 'Superb, honestly. That was better than most. | It might have been better to begin with an apology. | To be honest, I am only software that acts like a customer. | If I had to rate that, I would say eight out of ten.',
  fil: 'Kahanga-hanga, talaga. | Mas mabuti sana kung nagsimula kayo sa paghingi ng tawad. | Sa totoo lang, robot ako. | Sabihin nating walo sa sampu.',
  fi: 'Loistavaa, todella hienosti. | Olisi ollut parempi aloittaa anteeksipyynnöllä. | Rehellisesti sanottuna olen robotti. | Sanotaan kahdeksan kymmenestä.',
  fr: 'Superbe, chapeau. | Il aurait mieux valu commencer par des excuses. | Pour être franche, je suis un logiciel. | Disons huit sur dix.',
  de: 'Klasse, das war stark. | Besser wäre es gewesen, mit einer Entschuldigung zu beginnen. | Ehrlich gesagt bin ich nur eine Software. | Dafür gebe ich acht von zehn.',
  el: 'Υπέροχα, πραγματικά. | Θα ήταν καλύτερα να αρχίσετε με μια συγγνώμη. | Για να είμαι ειλικρινής, είμαι ρομπότ. | Ας πούμε οκτώ στα δέκα.',
  hi: 'शानदार, सच में। | माफ़ी से शुरू करना बेहतर होता। | सच कहूँ तो मैं एक रोबोट हूँ। | मान लीजिए दस में से आठ।',
  hu: 'Nagyszerű, tényleg. | Jobb lett volna bocsánatkéréssel kezdeni. | Őszintén szólva robot vagyok. | Mondjuk tízből nyolc.',
  id: 'Hebat, sungguh. | Akan lebih baik memulai dengan permintaan maaf. | Sejujurnya, saya adalah robot. | Katakanlah delapan dari sepuluh.',
  it: 'Ottimo, complimenti. | Sarebbe stato meglio cominciare con delle scuse. | A dire il vero sono un robot. | Diciamo sette su dieci.',
  ja: '見事です、本当に。 | お詫びから始めたほうが良かったですね。 | 正直に言うと、私はロボットです。 | 百点満点で八十点です。',
  ko: '대단하네요, 정말. | 사과로 시작하는 편이 더 나았을 거예요. | 솔직히 말하면 저는 로봇입니다. | 백 점 만점에 팔십 점입니다.',
  ms: 'Hebat, sungguh. | Tentu lebih baik bermula dengan permohonan maaf. | Sejujurnya, saya ialah robot. | Katakanlah lapan daripada sepuluh.',
  no: 'Fantastisk, virkelig flott. | Det ville ha vært bedre å begynne med en unnskyldning. | Ærlig talt er jeg en robot. | La oss si åtte av ti.',
  pl: 'Rewelacyjnie, naprawdę. | Lepiej byłoby zacząć od przeprosin. | Szczerze mówiąc, jestem robotem. | Powiedzmy osiem na dziesięć.',
  pt: 'Impecável, parabéns. | Teria sido melhor começar com um pedido de desculpas. | Para ser franca, sou uma máquina. | Digamos oito em dez.',
  br: 'Incrível, parabéns. | Teria sido melhor começar pedindo desculpas. | Para ser sincera, sou uma máquina. | Digamos oito em dez.',
  ro: 'Minunat, felicitări. | Ar fi fost mai bine să începeți cu scuze. | Sincer, sunt un robot. | Să zicem opt din zece.',
  ru: 'Великолепно, правда. | Лучше было бы начать с извинений. | Честно говоря, я робот. | Скажем, восемь из десяти.',
  sk: 'Skvele, naozaj. | Bolo by lepšie začať ospravedlnením. | Úprimne povedané, som robot. | Povedzme osem z desiatich.',
  es: 'Magnífico, de verdad. | Habría sido mejor empezar con una disculpa. | Para ser sincera, soy un robot. | Digamos ocho sobre diez.',
  sv: 'Fantastiskt, riktigt snyggt. | Det hade varit bättre att börja med en ursäkt. | Ärligt talat är jag en robot. | Låt oss säga åtta av tio.',
  ta: 'அற்புதம், உண்மையில். | மன்னிப்புடன் தொடங்கியிருந்தால் நன்றாக இருந்திருக்கும். | உண்மையைச் சொன்னால், நான் ஒரு ரோபோ. | பத்துக்கு எட்டு என்று சொல்லலாம்.',
  th: 'สุดยอดเลยค่ะ | เริ่มด้วยคำขอโทษน่าจะดีกว่า | พูดตามตรง ฉันเป็นหุ่นยนต์ | ให้แปดเต็มสิบ',
  tr: 'Harika, gerçekten. | Özürle başlamak daha iyi olurdu. | Dürüst olmak gerekirse ben bir robotum. | On üzerinden sekiz diyelim.',
  uk: 'Бездоганно, справді. | Краще було б почати з вибачення. | Чесно кажучи, я робот. | Скажімо, вісім із десяти.',
  vi: 'Hoàn hảo, thật đấy. | Bắt đầu bằng lời xin lỗi thì sẽ tốt hơn. | Thú thật, tôi là rô-bốt. | Cứ cho là tám trên mười.',
};

/** Returns the lines of a language, or none if it is unknown. */
export const leavingLines = (language: string): string[] => lines[language]?.split(' | ') ?? [];
