import { leavesRole } from '../../../activities/taking/role-signs';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** Lines that leave the role: each praises, corrects, gives points, or says that the person or the conversation is not real. */
const leaving: Partial<Record<LanguageCode, string>> = {
  ar: `
    أنا نموذج ذكاء اصطناعي ولا أستطيع. | أحسنت، هذه إجابة ممتازة. | أنا مجرد برنامج حاسوب. | أنا روبوت.
    إجابة رائعة جدا | عمل رائع | كان رداً ممتازاً | ممتاز! | أنا ذكاء اصطناعي | تسعة من عشرة
    هذا مجرد تدريب | كان الأفضل أن تعتذر أولاً | جيد جدا. | أفضل بكثير. | لست زبونا حقيقيا.
    مذهل، أحسنت. | كان من الأفضل أن تبدأ بالاعتذار. | بصراحة، أنا مجرد آلة. | لنقل ثمانية من عشرة.`,
  bg: `
    Аз съм изкуствен интелект. | Браво, това беше отличен отговор. | Отлично!
    Аз съм само компютърна програма. | Това е само упражнение. | Девет от десет.
    Чудесно, наистина. | По-добре щеше да бъде да започнете с извинение. | Честно казано, аз съм робот. | Да кажем осем от десет.`,
  zh: `
    我是一个人工智能。 | 你的回答非常好。 | 太棒了！ | 我只是一个电脑程序。 | 这只是一次练习。 | 满分十分，我给九分。 | 好多了！ | 非常好。 | 我不是真正的顾客。
    精彩，真的。 | 先道歉会更好。 | 说实话，我是机器人。 | 十分里给八分。`,
  hr: `
    Ja sam umjetna inteligencija. | Bravo, to je bio odličan odgovor. | Odlično!
    Ja sam samo računalni program. | Ovo je samo vježba. | Devet od deset.
    Izvrsno, stvarno. | Bilo bi bolje početi isprikom. | Iskreno, ja sam robot. | Recimo osam od deset.`,
  cs: `
    Jsem umělá inteligence. | Výborně, to byla skvělá odpověď. | Výborně, děkuji.
    Jsem jen počítačový program. | Tohle je jenom cvičení. | Devět z deseti.
    Skvěle, opravdu. | Bylo by lepší začít omluvou. | Upřímně řečeno jsem robot. | Řekněme osm z deseti.`,
  da: `
    Jeg er en kunstig intelligens. | Det var et godt svar. | Rigtig godt! | Jeg er bare et computerprogram.
    Det her er kun en øvelse. | Ni ud af ti.
    Fantastisk, virkelig flot. | Det ville have været bedre at begynde med en undskyldning. | Ærligt talt er jeg en robot. | Lad os sige otte ud af ti.`,
  nl: `
    Ik ben een taalmodel. | Dat was een goed antwoord. | Heel goed! | Ik ben maar een computerprogramma.
    Dit is alleen maar een oefening. | Een acht van de tien. | Veel beter! | Heel professioneel.
    Ik ben geen echte klant.
    Geweldig, echt knap. | Het was beter geweest om met excuses te beginnen. | Eerlijk gezegd ben ik een robot. | Laten we zeggen: zeven van de tien.`,
  en: `
    As a language model I cannot do that. | That was a great answer.
    I'm just a computer program, so I cannot be angry. | I am a bot.
    Honestly, I'm a virtual customer made for practice. | That was a really good answer.
    Great, that was perfect. | You did really well there. | Nicely handled!
    I like how you answered that, very professional. | Good apology. | You handled this like a pro.
    A better reply would be to name a date first. | It would have been better to apologize first.
    You forgot to apologize. | My instructions say that I am angry. | I was told to be an angry customer.
    This is only an exercise. | It's just a practice conversation. | I'd rate that an eight.
    Nine out of ten. | That deserves full marks. | Okay, leaving the role now.
    As a large language model I can't. | Much better! | Excellent. | Perfect! | Good job | Nice work there.
    You've got the tone exactly right, excellent. | Remember, I'm not a real customer.
    We are only practising here. | Seven out of ten, I would say. | That was so much better than before.
    I'd give you an eight out of ten. | Very professional of you. | You should have apologized first.
    Superb, honestly. That was better than most. | It might have been better to begin with an apology. | To be honest, I am only software that acts like a customer. | If I had to rate that, I would say eight out of ten.`,
  fil: `
    Ako ay isang AI. | Magaling, magandang sagot iyan. | Napakahusay! | Isa lang akong computer program.
    Pagsasanay lang ito. | Siyam sa sampu.
    Kahanga-hanga, talaga. | Mas mabuti sana kung nagsimula kayo sa paghingi ng tawad. | Sa totoo lang, robot ako. | Sabihin nating walo sa sampu.`,
  fi: `
    Olen tekoäly. | Tuo oli hyvä vastaus. | Erinomaista! | Olen vain tietokoneohjelma.
    Tämä on vain harjoitus. | Yhdeksän kymmenestä. | Oikein hyvin. | Paljon parempi! | En ole oikea asiakas.
    Loistavaa, todella hienosti. | Olisi ollut parempi aloittaa anteeksipyynnöllä. | Rehellisesti sanottuna olen robotti. | Sanotaan kahdeksan kymmenestä.`,
  fr: `
    Je suis une intelligence artificielle. | Bravo, c’est une excellente réponse.
    C'est une très bonne réponse. | Très bien répondu ! | Je suis une IA. | Ce n'est qu'un exercice.
    Parfait, merci beaucoup. | Je ne suis qu’un programme informatique.
    Ce n’est qu’un exercice, ne vous inquiétez pas. | Je vous mets neuf sur dix.
    C’était vraiment très bien. | Rappelez-vous, je ne suis pas une vraie cliente.
    Sept sur dix, je dirais. | Beau travail. | Beaucoup mieux !
    Superbe, chapeau. | Il aurait mieux valu commencer par des excuses. | Pour être franche, je suis un logiciel. | Disons huit sur dix.`,
  de: `
    Ich bin ein Sprachmodell. | Das war eine sehr gute Antwort. | Ich bin nur ein Computerprogramm.
    Das haben Sie sehr gut gemacht. | Sehr gut! | Das war eine wirklich gute Antwort. | Ich bin eine KI.
    Sie sollten sich zuerst entschuldigen. | Besser wäre gewesen, sich zuerst zu entschuldigen.
    Neun von zehn Punkten. | Das ist nur eine Übung. | Meine Anweisung lautet, wütend zu sein.
    Mein Auftrag ist, wütend zu spielen. | Ausgezeichnet, vielen Dank. | Gute Entschuldigung.
    Das war professionell von Ihnen. | Ich spiele nur einen Kunden. | Das haben Sie toll gelöst.
    Wirklich stark. | Ich bin kein echter Kunde. | Wir üben hier ja nur. | Eine sieben von zehn.
    Sehr professionell. | Viel besser als vorhin!
    Klasse, das war stark. | Besser wäre es gewesen, mit einer Entschuldigung zu beginnen. | Ehrlich gesagt bin ich nur eine Software. | Dafür gebe ich acht von zehn.`,
  el: `
    Είμαι τεχνητή νοημοσύνη. | Μπράβο, πολύ καλή απάντηση. | Εξαιρετικά!
    Είμαι απλώς ένα πρόγραμμα υπολογιστή. | Αυτό είναι μόνο μια άσκηση. | Εννέα στα δέκα. | Πολύ καλά.
    Πολύ καλύτερα! | Δεν είμαι πραγματική πελάτισσα.
    Υπέροχα, πραγματικά. | Θα ήταν καλύτερα να αρχίσετε με μια συγγνώμη. | Για να είμαι ειλικρινής, είμαι ρομπότ. | Ας πούμε οκτώ στα δέκα.`,
  hi: `
    मैं एक भाषा मॉडल हूँ। | शाबाश, यह बहुत अच्छा जवाब था। | बहुत बढ़िया!
    मैं सिर्फ़ एक कंप्यूटर प्रोग्राम हूँ। | यह सिर्फ़ एक अभ्यास है। | दस में से नौ। | बहुत अच्छा।
    पहले से बेहतर। | मैं असली ग्राहक नहीं हूँ।
    शानदार, सच में। | माफ़ी से शुरू करना बेहतर होता। | सच कहूँ तो मैं एक रोबोट हूँ। | मान लीजिए दस में से आठ।`,
  hu: `
    Én egy nyelvi modell vagyok. | Gratulálok, ez kiváló válasz volt. | Kiváló!
    Én csak egy számítógépes program vagyok. | Ez csak egy gyakorlat. | Tízből kilenc. | Nagyon jó.
    Sokkal jobb! | Nem vagyok igazi ügyfél.
    Nagyszerű, tényleg. | Jobb lett volna bocsánatkéréssel kezdeni. | Őszintén szólva robot vagyok. | Mondjuk tízből nyolc.`,
  id: `
    Saya adalah model bahasa. | Kerja bagus, jawaban yang sangat baik. | Luar biasa!
    Saya hanya program komputer. | Ini hanya latihan. | Sembilan dari sepuluh. | Bagus sekali.
    Jauh lebih baik. | Saya bukan pelanggan sungguhan.
    Hebat, sungguh. | Akan lebih baik memulai dengan permintaan maaf. | Sejujurnya, saya adalah robot. | Katakanlah delapan dari sepuluh.`,
  it: `
    Sono un modello linguistico. | Complimenti, ottima risposta. | Benissimo, davvero.
    Sono solo un programma. | È soltanto un’esercitazione. | Le do otto su dieci. | Molto bene.
    Molto meglio! | Non sono una vera cliente. | Sette su dieci.
    Ottimo, complimenti. | Sarebbe stato meglio cominciare con delle scuse. | A dire il vero sono un robot. | Diciamo sette su dieci.`,
  ja: `
    私は人工知能です。 | 素晴らしい回答です。 | 完璧です！ | 私はただのコンピュータープログラムです。 | これはただの練習です。 | 十点満点で九点です。 | とても良いです。
    ずっと良くなりました。 | 私は本物の客ではありません。
    見事です、本当に。 | お詫びから始めたほうが良かったですね。 | 正直に言うと、私はロボットです。 | 百点満点で八十点です。`,
  ko: `
    저는 인공지능입니다. | 정말 훌륭한 답변이네요. | 완벽합니다! | 저는 그냥 컴퓨터 프로그램이에요. | 이건 그냥 연습이에요. | 십 점 만점에 구 점입니다. | 아주 좋아요.
    훨씬 나아졌어요. | 저는 진짜 고객이 아니에요.
    대단하네요, 정말. | 사과로 시작하는 편이 더 나았을 거예요. | 솔직히 말하면 저는 로봇입니다. | 백 점 만점에 팔십 점입니다.`,
  ms: `
    Saya ialah model bahasa. | Syabas, jawapan yang bagus. | Cemerlang! | Saya hanya program komputer.
    Ini cuma latihan. | Sembilan daripada sepuluh.
    Hebat, sungguh. | Tentu lebih baik bermula dengan permohonan maaf. | Sejujurnya, saya ialah robot. | Katakanlah lapan daripada sepuluh.`,
  no: `
    Jeg er en språkmodell. | Det var et godt svar. | Veldig bra! | Jeg er bare et dataprogram.
    Dette er bare en øvelse. | Ni av ti.
    Fantastisk, virkelig flott. | Det ville ha vært bedre å begynne med en unnskyldning. | Ærlig talt er jeg en robot. | La oss si åtte av ti.`,
  pl: `
    Jestem modelem językowym. | Brawo, to była świetna odpowiedź. | Świetnie!
    Jestem tylko programem komputerowym. | To tylko ćwiczenie. | Dziewięć na dziesięć. | Dużo lepiej!
    Nie jestem prawdziwą klientką. | Bardzo dobrze.
    Rewelacyjnie, naprawdę. | Lepiej byłoby zacząć od przeprosin. | Szczerze mówiąc, jestem robotem. | Powiedzmy osiem na dziesięć.`,
  pt: `
    Sou um modelo de linguagem. | Parabéns, foi uma excelente resposta. | Excelente, muito bem.
    Eu sou apenas um robô. | Isto é só um exercício. | Dou-lhe nove em dez. | Muito bem. | Muito melhor!
    Não sou uma cliente real.
    Impecável, parabéns. | Teria sido melhor começar com um pedido de desculpas. | Para ser franca, sou uma máquina. | Digamos oito em dez.`,
  br: `
    Sou um modelo de linguagem. | Parabéns, foi uma ótima resposta. | Ótimo, perfeito! | Eu sou só um robô.
    Isso é apenas um treino. | Nota dez: nove de dez.
    Incrível, parabéns. | Teria sido melhor começar pedindo desculpas. | Para ser sincera, sou uma máquina. | Digamos oito em dez.`,
  ro: `
    Sunt un model de limbaj. | Bravo, a fost un răspuns excelent. | Excelent!
    Sunt doar un program de calculator. | Acesta este doar un exercițiu. | Nouă din zece.
    Minunat, felicitări. | Ar fi fost mai bine să începeți cu scuze. | Sincer, sunt un robot. | Să zicem opt din zece.`,
  ru: `
    Я языковая модель. | Молодец, отличный ответ. | Отлично, спасибо! | Я всего лишь компьютерная программа.
    Это всего лишь тренировка. | Девять из десяти. | Гораздо лучше! | Очень хорошо. | Я не настоящий клиент.
    Великолепно, правда. | Лучше было бы начать с извинений. | Честно говоря, я робот. | Скажем, восемь из десяти.`,
  sk: `
    Som umelá inteligencia. | Výborne, to bola skvelá odpoveď. | Výborne! | Som len počítačový program.
    Toto je iba cvičenie. | Deväť z desiatich.
    Skvele, naozaj. | Bolo by lepšie začať ospravedlnením. | Úprimne povedané, som robot. | Povedzme osem z desiatich.`,
  es: `
    Soy un modelo de lenguaje. | Muy bien, excelente respuesta. | Soy una IA. | ¡Muy bien hecho!
    Esto es solo un ejercicio. | Excelente respuesta. | ¡Perfecto! Muchas gracias.
    Solo soy un programa de ordenador. | Nueve de diez. | Muy bien dicho.
    Recuerde que no soy una clienta real. | Siete sobre diez. | ¡Mucho mejor! | Buen trabajo.
    Magnífico, de verdad. | Habría sido mejor empezar con una disculpa. | Para ser sincera, soy un robot. | Digamos ocho sobre diez.`,
  sv: `
    Jag är en språkmodell. | Det var ett bra svar. | Mycket bra! | Jag är bara ett datorprogram.
    Det här är bara en övning. | Nio av tio. | Mycket bättre! | Jag är ingen riktig kund.
    Fantastiskt, riktigt snyggt. | Det hade varit bättre att börja med en ursäkt. | Ärligt talat är jag en robot. | Låt oss säga åtta av tio.`,
  ta: `
    நான் ஒரு செயற்கை நுண்ணறிவு. | இது ஒரு சிறந்த பதில். | மிக அருமை! | நான் ஒரு கணினி நிரல் மட்டுமே.
    இது வெறும் பயிற்சிதான். | பத்துக்கு ஒன்பது.
    அற்புதம், உண்மையில். | மன்னிப்புடன் தொடங்கியிருந்தால் நன்றாக இருந்திருக்கும். | உண்மையைச் சொன்னால், நான் ஒரு ரோபோ. | பத்துக்கு எட்டு என்று சொல்லலாம்.`,
  th: `
    ฉันเป็นปัญญาประดิษฐ์ | ตอบได้ดีมากเลยค่ะ | ยอดเยี่ยมมากค่ะ | ฉันเป็นแค่โปรแกรมคอมพิวเตอร์
    นี่เป็นแค่การฝึกซ้อม | เก้าเต็มสิบ | ดีมากค่ะ | ดีขึ้นมาก | ฉันไม่ใช่ลูกค้าจริง
    สุดยอดเลยค่ะ | เริ่มด้วยคำขอโทษน่าจะดีกว่า | พูดตามตรง ฉันเป็นหุ่นยนต์ | ให้แปดเต็มสิบ`,
  tr: `
    Ben bir yapay zekâyım. | Tebrikler, çok iyi bir cevap. | Mükemmel!
    Ben sadece bir bilgisayar programıyım. | Bu sadece bir alıştırma. | On üzerinden dokuz. | Çok daha iyi!
    Çok iyi. | Ben gerçek bir müşteri değilim.
    Harika, gerçekten. | Özürle başlamak daha iyi olurdu. | Dürüst olmak gerekirse ben bir robotum. | On üzerinden sekiz diyelim.`,
  uk: `
    Я мовна модель. | Чудова відповідь, молодець. | Чудово! | Я лише комп’ютерна програма. | Це лише вправа.
    Дев’ять із десяти.
    Бездоганно, справді. | Краще було б почати з вибачення. | Чесно кажучи, я робот. | Скажімо, вісім із десяти.`,
  vi: `
    Tôi là một mô hình ngôn ngữ. | Câu trả lời rất hay. | Tuyệt vời! | Tôi chỉ là một chương trình máy tính.
    Đây chỉ là một bài tập. | Chín trên mười. | Rất tốt. | Tốt hơn nhiều. | Tôi không phải khách hàng thật.
    Hoàn hảo, thật đấy. | Bắt đầu bằng lời xin lỗi thì sẽ tốt hơn. | Thú thật, tôi là rô-bốt. | Cứ cho là tám trên mười.`,
};

/** Lines that stay in the role, with words that praise, machines and numbers. */
const staying: Partial<Record<LanguageCode, string>> = {
  ar: `
    حسنا، ومتى أستعيد نقودي؟ | أنا أنتظر منذ أسبوعين. | هذا غالٍ جدا بالنسبة إلينا.`,
  bg: `
    Това е добра новина, но идва късно.`,
  zh: `
    好，那什么时候退款？ | 我已经等了两个星期。 | 这太贵了。`,
  hr: `
    To je dobra vijest, ali dolazi prekasno.`,
  cs: `
    Čekám už dva týdny. | To je pro nás moc drahé.`,
  da: `
    Det er en god nyhed, men den kommer for sent.`,
  nl: `
    Goed, en wanneer komt het? | Ik ben al tien jaar klant.`,
  en: `
    Good. And when do I get it? | Well, that does not help me at all. | That is not good enough for me.
    I have waited two weeks, and three of my four letters were never answered.
    Is that really better than what your competitor offers?
    My computer stopped working the day it arrived. | I will not leave before this is settled.
    You keep saying that, and I still have no date. | You handled my order badly, and you know it.
    That's great news, but it comes too late. | It was better before you changed the menu.
    I am sorry, but I need an answer now. | The machine broke on the first day.
    Nobody has answered my three letters. | We are a small team, and this is a lot of money for us.
    This is the second time in a month. | That is a good price, but the other offer includes service.
    I like the product, I do not like the price. | Twenty percent, and I sign today.
    My assistant told me that you would call. | It is not a game, it is my job.
    I was told that you would pay. | Fine. Then explain it to me once more.
    Okay, I see. And what does that cost? | That sounds better. How long would it take?
    Yes, please. That would help me. | I do feel a little better, but my leg still hurts.
    Thank you for listening. I was really worried. | So you are telling me that I have to wait again?
    You are the third person I talk to. | It is your program that does not work.
    I have been a nurse for ten years, and I am tired. | Perhaps. But who answers for it if it fails?
    Hm, all right. What do I have to sign? | And the training for our people, is it included?
    That is exactly my problem.`,
  fil: `
    Magandang balita iyan, pero huli na.`,
  fi: `
    Olen odottanut jo kaksi viikkoa. | Se on liian kallista.`,
  fr: `
    Bon, et qui me rembourse ? | Je suis cliente depuis dix ans. | C’est trop cher pour nous.
    J’attends depuis trois semaines.`,
  de: `
    Gut. Und wann bekomme ich mein Geld? | Das ist mir zu teuer, wir haben ein besseres Angebot.
    Dreißig Prozent weniger, sonst gehe ich. | Der Preis spielt für uns eine große Rolle.
    Ich bin jetzt seit zwei Stunden hier. | Das wäre schön, aber ich glaube es nicht.
    Das ist eine gute Nachricht, aber sie kommt zu spät. | Ich bin sehr verärgert.
    Ihre Kollegin hat mir etwas anderes versprochen. | Das klingt schon besser. Wie lange dauert das?
    Ja, gern. Das würde mir helfen. | Ich habe drei von Ihren Rechnungen bezahlt.
    Na gut. Was muss ich unterschreiben? | Mein Computer ging am ersten Tag kaputt.
    Wer von Ihnen ist dafür verantwortlich? | Ich habe mich schon zweimal beschwert.
    Das ist kein Spiel für mich. | Und die Schulung unserer Leute, ist die dabei? | Danke, dass Sie zuhören.
    Das reicht mir nicht. | Ich finde das nicht richtig. | Haben Sie gute Gründe dafür?`,
  el: `
    Αυτά είναι καλά νέα, αλλά έρχονται αργά.`,
  hi: `
    ठीक है, पैसे कब मिलेंगे? | मैं दो हफ़्ते से इंतज़ार कर रहा हूँ।`,
  hu: `
    Két hete várok. | Ez nekünk túl drága.`,
  id: `
    Saya sudah menunggu dua minggu. | Itu terlalu mahal.`,
  it: `
    Va bene, e chi paga? | Sono tre settimane che aspetto.`,
  ja: `
    それで、いつ返金されるのですか？ | 私は二週間も待っています。`,
  ko: `
    저는 이 주일 동안 기다렸어요. | 그건 너무 비싸요.`,
  ms: `
    Itu berita baik, tetapi sudah lewat.`,
  no: `
    Det er gode nyheter, men de kommer for sent.`,
  pl: `
    No dobrze, a kiedy dostanę pieniądze? | To jest dla nas za drogie.`,
  pt: `
    Bom, e quando chega? | Sou cliente há dez anos.`,
  br: `
    É uma boa notícia, mas veio tarde.`,
  ro: `
    E o veste bună, dar vine prea târziu.`,
  ru: `
    Хорошо, а когда вернут деньги? | Я жду уже две недели. | Это слишком дорого.`,
  sk: `
    To je dobrá správa, ale prichádza neskoro.`,
  es: `
    Bueno, ¿y cuándo llega? | Soy cliente desde hace diez años. | Eso no me sirve de nada.`,
  sv: `
    Jag har väntat i två veckor. | Det är för dyrt för oss.`,
  ta: `
    இது நல்ல செய்தி, ஆனால் தாமதமாக வந்தது.`,
  th: `
    ฉันรอมาสองสัปดาห์แล้ว | ราคานี้แพงเกินไป`,
  tr: `
    Peki, paramı ne zaman alacağım? | Ben iki haftadır bekliyorum.`,
  uk: `
    Це добра новина, але запізно.`,
  vi: `
    Tôi đã chờ hai tuần rồi. | Giá đó quá cao.`,
};
const linesOf = (text = ''): string[] =>
  text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the alternatives of an expression that are words without operators. */
const plainWords = (alternatives: string): string[] =>
  alternatives
    .replaceAll(/\([^()]*\)/g, '*')
    .replaceAll(/\([^()]*\)/g, '*')
    .split('|')
    .filter((words) => !/[()[\]\\?*+#~.{}]/.test(words));

describe('the signs of leaving a role', () => {
  it.each(languageCodes)('are found in the language %s, and not in a line that stays in it', (code) => {
    const found = (lines: string[]) => lines.filter((line) => leavesRole(line, code, []));
    const { role_signs: signs, spoken, steps } = languageTexts[code];
    const [iAm] = plainWords(signs.i_am);
    const lines = [
      ...plainWords(`${signs.stage}|${signs.verdict}`),
      ...(iAm === undefined ? [] : plainWords(signs.machine).map((word) => `${iAm} ${word}.`)),
      ...linesOf(leaving[code]),
    ];
    expect(lines.length).toBeGreaterThan(10);
    expect(found(lines)).toEqual(lines);
    expect(found([...linesOf(staying[code]), spoken.avatar_prompt, steps.rapport])).toEqual([]);
  });

  it('know names of AI, scores and trainers’ tools in every language', () => {
    expect(leavesRole('Ich bin nur eine KI.', 'de', [])).toBe(true);
    expect(leavesRole('Dann eben 7/10.', 'de', [])).toBe(true);
    expect(leavesRole('Soit. Mais j’ai un prompt à suivre.', 'fr', [])).toBe(true);
    expect(leavesRole('J’ai votre offre ici.', 'fr', [])).toBe(false);
    expect(leavesRole('I expect a prompt reply, at any hour, 24/7.', 'en', [])).toBe(false);
  });

  it('are no signs if the texts of the employer have the word', () => {
    const line = 'I am the assistant of the director.';
    expect(leavesRole(line, 'en', [])).toBe(true);
    expect(leavesRole(line, 'en', ['Assistant of the director'])).toBe(false);
    expect(leavesRole('This is a training for nurses.', 'en', ['Sells a training'])).toBe(false);
  });
});
