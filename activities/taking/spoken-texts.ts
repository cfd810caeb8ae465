import type { LanguageCode } from '../../db/platform/vocabulary';

/**
 * The platform's own texts between questions. `still_there` is said after a recording without a word. `unknown` is
 * said if the texts that candidates may know do not answer the candidate's question.
 */
export const spokenTexts: Record<LanguageCode, { still_there: string; unknown: string }> = {
  ar: {
    still_there: 'هل ما زلتم هنا؟ لم نسمع شيئًا. يمكنكم أيضًا كتابة إجابتكم.',
    unknown: 'لا أعرف الإجابة عن ذلك. يُرجى توجيه هذا السؤال إلى صاحب العمل.',
  },
  bg: {
    still_there: 'Още ли сте тук? Не чухме нищо. Можете и да напишете отговора си.',
    unknown: 'Не знам отговора на този въпрос. Моля, задайте го на работодателя.',
  },
  zh: {
    still_there: '您还在吗？我们没有听到任何声音。您也可以打字回答。',
    unknown: '这个问题我不知道答案，请直接询问雇主。',
  },
  hr: {
    still_there: 'Jeste li još tu? Nismo ništa čuli. Odgovor možete i upisati.',
    unknown: 'Ne znam odgovor na to. Molimo Vas da to pitate poslodavca.',
  },
  cs: {
    still_there: 'Jste tam ještě? Nic jsme neslyšeli. Odpověď můžete také napsat.',
    unknown: 'Odpověď na to neznám. Zeptejte se prosím zaměstnavatele.',
  },
  da: {
    still_there: 'Er du der stadig? Vi hørte ikke noget. Du kan også skrive dit svar.',
    unknown: 'Det kender jeg ikke svaret på. Spørg venligst arbejdsgiveren.',
  },
  nl: {
    still_there: 'Bent u er nog? We hebben niets gehoord. U kunt uw antwoord ook typen.',
    unknown: 'Dat weet ik niet. Stel deze vraag alstublieft aan de werkgever.',
  },
  en: {
    still_there: 'Are you still there? We did not hear anything. You can also type your answer.',
    unknown: 'I do not know the answer to that. Please ask the employer.',
  },
  fil: {
    still_there: 'Nandiyan pa ba kayo? Wala kaming narinig. Maaari rin ninyong i-type ang inyong sagot.',
    unknown: 'Hindi ko alam ang sagot diyan. Pakitanong po ito sa employer.',
  },
  fi: {
    still_there: 'Oletteko vielä paikalla? Emme kuulleet mitään. Voitte myös kirjoittaa vastauksenne.',
    unknown: 'En tiedä vastausta tähän. Kysykää asiaa työnantajalta.',
  },
  fr: {
    still_there: "Êtes-vous toujours là ? Nous n'avons rien entendu. Vous pouvez aussi taper votre réponse.",
    unknown: "Je ne connais pas la réponse à cette question. Veuillez la poser à l'employeur.",
  },
  de: {
    still_there: 'Sind Sie noch da? Wir haben nichts gehört. Sie können Ihre Antwort auch tippen.',
    unknown: 'Das weiß ich leider nicht. Bitte fragen Sie den Arbeitgeber.',
  },
  el: {
    still_there: 'Είστε ακόμα εδώ; Δεν ακούσαμε τίποτα. Μπορείτε και να γράψετε την απάντησή σας.',
    unknown: 'Δεν γνωρίζω την απάντηση σε αυτό. Παρακαλούμε ρωτήστε τον εργοδότη.',
  },
  hi: {
    still_there: 'क्या आप अभी भी यहाँ हैं? हमें कुछ सुनाई नहीं दिया। आप अपना उत्तर टाइप भी कर सकते हैं।',
    unknown: 'मुझे इसका उत्तर नहीं पता। कृपया नियोक्ता से पूछें।',
  },
  hu: {
    still_there: 'Itt van még? Nem hallottunk semmit. A választ be is gépelheti.',
    unknown: 'Erre nem tudom a választ. Kérjük, kérdezze meg a munkáltatót.',
  },
  id: {
    still_there:
      'Apakah Anda masih di sana? Kami tidak mendengar apa pun. Anda juga dapat mengetik jawaban Anda.',
    unknown: 'Saya tidak tahu jawabannya. Silakan tanyakan kepada pemberi kerja.',
  },
  it: {
    still_there: 'È ancora lì? Non abbiamo sentito nulla. Può anche scrivere la risposta.',
    unknown: 'Non conosco la risposta. La preghiamo di chiedere al datore di lavoro.',
  },
  ja: {
    still_there: 'まだいらっしゃいますか？音声が聞こえませんでした。文字で回答することもできます。',
    unknown: 'そのご質問の答えはわかりかねます。採用担当者にお尋ねください。',
  },
  ko: {
    still_there: '아직 계신가요? 아무 소리도 들리지 않았습니다. 답변을 입력하셔도 됩니다.',
    unknown: '그 질문에 대한 답은 알지 못합니다. 고용주에게 문의해 주십시오.',
  },
  ms: {
    still_there:
      'Adakah anda masih di sana? Kami tidak mendengar apa-apa. Anda juga boleh menaip jawapan anda.',
    unknown: 'Saya tidak tahu jawapannya. Sila tanya majikan.',
  },
  no: {
    still_there: 'Er du der fortsatt? Vi hørte ingenting. Du kan også skrive svaret ditt.',
    unknown: 'Det vet jeg ikke svaret på. Spør gjerne arbeidsgiveren.',
  },
  pl: {
    still_there: 'Czy nadal Pan lub Pani jest z nami? Nic nie usłyszeliśmy. Odpowiedź można też wpisać.',
    unknown: 'Nie znam odpowiedzi na to pytanie. Prosimy zapytać pracodawcę.',
  },
  pt: {
    still_there: 'Ainda está aí? Não ouvimos nada. Também pode escrever a sua resposta.',
    unknown: 'Não sei a resposta a essa pergunta. Por favor, pergunte ao empregador.',
  },
  br: {
    still_there: 'Você ainda está aí? Não ouvimos nada. Você também pode digitar sua resposta.',
    unknown: 'Não sei a resposta para essa pergunta. Por favor, pergunte ao empregador.',
  },
  ro: {
    still_there: 'Mai sunteți aici? Nu am auzit nimic. Puteți și să scrieți răspunsul.',
    unknown: 'Nu cunosc răspunsul la această întrebare. Vă rugăm să întrebați angajatorul.',
  },
  ru: {
    still_there: 'Вы ещё здесь? Мы ничего не услышали. Ответ можно также напечатать.',
    unknown: 'Я не знаю ответа на этот вопрос. Пожалуйста, задайте его работодателю.',
  },
  sk: {
    still_there: 'Ste tam ešte? Nič sme nepočuli. Odpoveď môžete aj napísať.',
    unknown: 'Odpoveď na to nepoznám. Opýtajte sa, prosím, zamestnávateľa.',
  },
  es: {
    still_there: '¿Sigue ahí? No hemos oído nada. También puede escribir su respuesta.',
    unknown: 'No sé la respuesta a esa pregunta. Por favor, pregunte al empleador.',
  },
  sv: {
    still_there: 'Är du kvar? Vi hörde ingenting. Du kan också skriva ditt svar.',
    unknown: 'Jag vet inte svaret på det. Fråga gärna arbetsgivaren.',
  },
  ta: {
    still_there: 'நீங்கள் இன்னும் இருக்கிறீர்களா? எங்களுக்கு எதுவும் கேட்கவில்லை. உங்கள் பதிலைத் தட்டச்சு செய்யவும் முடியும்.',
    unknown: 'அதற்கான பதில் எனக்குத் தெரியாது. தயவுசெய்து நிறுவனத்திடம் கேளுங்கள்.',
  },
  th: {
    still_there: 'คุณยังอยู่ไหม เราไม่ได้ยินเสียงอะไรเลย คุณพิมพ์คำตอบแทนได้',
    unknown: 'เราไม่ทราบคำตอบของคำถามนี้ โปรดสอบถามนายจ้าง',
  },
  tr: {
    still_there: 'Hâlâ orada mısınız? Hiçbir şey duymadık. Yanıtınızı yazabilirsiniz de.',
    unknown: 'Bunun yanıtını bilmiyorum. Lütfen işverene sorun.',
  },
  uk: {
    still_there: 'Ви ще тут? Ми нічого не почули. Відповідь можна також надрукувати.',
    unknown: 'Я не знаю відповіді на це запитання. Будь ласка, поставте його роботодавцю.',
  },
  vi: {
    still_there: 'Bạn còn ở đó không? Chúng tôi không nghe thấy gì. Bạn cũng có thể gõ câu trả lời.',
    unknown: 'Tôi không biết câu trả lời cho câu hỏi này. Vui lòng hỏi nhà tuyển dụng.',
  },
};
