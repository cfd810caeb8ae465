import type { LanguageCode } from '../../../db/platform/vocabulary';

/**
 * How words about an application begin in each language: application, job, employer, hire, decision. Texts for learners
 * and visitors have none of them.
 */
export const applicationWords: Partial<Record<LanguageCode, string>> = {
  ar: 'طلبكم للوظيفة|بشأن طلبكم|صاحب العمل|جهة العمل|الوظيف|وظيف|توظيف|القرار|يقررون',
  bg: 'кандидат|работодател|длъжност|назнач|решени|реши|решават',
  br: 'candidat|empreg|vaga|recrut|contrata|decis|decid',
  cs: 'vaší žádosti|zaměst|uchazeč|nábor|rozhodn|rozhoduj',
  da: 'ansøg|arbejdsgiv|stilling|job|rekrutter|ansæt|beslut',
  de: 'bewerb|bewirb|arbeitgeb|job|stellenanzeige|eingestellt|recruit|entscheid',
  el: 'αίτησή σας|εργοδότ|εργασία|πρόσληψ|υποψηφι|απόφασ|αποφασ',
  en: 'appl(?:y|ied|ying|icant|ication)|job|employer|recruit|hir(?:e|ing)|decide|decision',
  es: 'candidat|solicitud de empleo|emple(?:o|ador)|puesto|contratar|reclut|decisi|deciden|decidir',
  fi: 'hakem|työnantaj|työpaik|rekry|palkka|päätök|päättävät',
  fil: 'aplikasyon|mag-apply|employer|trabaho|recruit|nagpapasya|magpasya|desisyon',
  fr: 'candidat|employeur|emploi|embauch|recrut|décision|décid',
  hi: 'आवेदन|नियोक्ता|नौकरी|भर्ती|निर्णय',
  hr: 'vašoj prijavi|poslodav|posao|zapošlj|odluk|odluč',
  hu: 'jelentkezésé|munkált|munkahely|állás|tobor|dönt',
  id: 'lamar|melamar|pemberi kerja|pekerjaan|lowongan|rekrut|keputusan|memutuskan',
  it: 'candidat|datore|lavoro|assun|recluta|decision|decid',
  ja: '応募|雇用主|採用|求人|判断',
  ko: '지원에|지원서|고용주|채용|결정',
  ms: 'permohonan anda|majikan|pekerjaan|jawatan|keputusan tentang|membuat keputusan',
  nl: 'sollicit|werkgever|vacature|baan|recruit|besliss|besluit',
  no: 'søknad|arbeidsgiv|stilling|jobb|rekrutter|ansett|avgjør',
  pl: 'kandyda|pracodaw|zatrudn|rekrut|decyzj|decyduj',
  pt: 'candidat|empreg|vaga|recrut|contrata|decis|decid',
  ro: 'candidat|angaja|loc de muncă|recrut|decizi|decid',
  ru: 'кандидат|работодател|вакан|трудоустр|решени|решают',
  sk: 'vašej žiadosti|zamest|uchádzač|nábor|rozhodn|rozhoduj',
  sv: 'ansök|arbetsgiv|jobb|rekryter|anställ|beslut',
  ta: 'விண்ணப்ப|வேலையளிப்ப|வேலைவாய்ப்|முடிவெடு',
  th: 'ใบสมัคร|สมัครงาน|นายจ้าง|ตัดสินใจ',
  tr: 'başvuru|işveren|işe al|karar',
  uk: 'кандидат|роботодав|вакан|працевлаш|рішенн|вирішу',
  vi: 'hồ sơ|tuyển dụng|ứng tuyển|việc làm|quyết định',
  zh: '您的申请|申请职位|求职|雇主|招聘|职位|应聘|决定',
};

/**
 * How words begin that mean an interview for a job, in the languages that have such a word. Texts that learners share with
 * candidates use a word for any interview.
 */
export const jobInterviewWords: Partial<Record<LanguageCode, string>> = {
  cs: 'pohovor',
  de: 'vorstellungsgespr',
  fi: 'työhaast',
  ja: '面接',
  ko: '면접',
  pl: 'kwalifikacyjn',
  ru: 'собеседован',
  sk: 'pohovor',
  tr: 'mülakat',
  uk: 'співбесід',
  zh: '面试',
};
