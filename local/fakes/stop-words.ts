/** Words of four or more letters that carry no content, in the languages that the fake model assesses best. */
export const stopWords: ReadonlySet<string> = new Set(
  `about after again also because been before being could does each else even every from have having here into just
  like made make many more most much need never only other over really same should some such than that their them then
  there these they thing this those through time under very want well were what when where which while with would your
  example says said tells told explains describes describe names gives mentions explain something somebody people
  aber alle allem allen aller alles auch beim bei beispiel bisschen damit dann darf dass dem denn deren diese diesem
  diesen dieser dieses doch dort durch eine einem einen einer eines einfach etwas früher ganz geht gibt habe haben hatte
  hatten hier ihre ihrem ihren immer jede jedem jeden jetzt kann kein keine können machen manchmal mehr mein meine meinem
  meinen meiner mich mir muss nach nicht nichts noch oder ohne schon sehr sein seine seit selbst sich sind sonst über
  viel viele vom wann ware waren warum weil weiß welche wenn werde werden wird wurde wurden zum zur zwischen sagt nennt
  erklärt beschreibt wichtig
  algo alguien antes aunque bien cada como cómo cosa cuál cuando cuándo cuenta desde después donde durante ella ellos
  entre eran esas esos esta está están estas este esto estos fuera hace hacer hasta luego mientras mismo mucho muchas
  muchos nada otra otro para pero poco porque puede pues quien quién quiere sabe sobre solo también tanto tenía tiene
  tienen toda todas todo todos tras usted verdad dice explica describe menciona ejemplo
  ainsi alors après aussi autre autres avait avant avec avoir beaucoup cela cette ceux chaque chez chose comme comment
  dans depuis deux donc dont elle elles encore entre était étaient être faire fait faut jamais leur leurs lors mais même
  mieux moins nous parce pour pourquoi quand quelque quelqu quelle sans sera soit sont sous suis surtout tous tout toute
  toutes très trop vers votre vous décrit explique raconte donne nomme exemple mentionne
  aslında ama anlatır açıklar böyle bunu bunun benim beni biraz bizim bütün çünkü çok daha değil diye gibi göre hangi
  hemen hepsi herkes için ile ilk kadar kendi kimin nasıl neden olan olarak oldu olduğunu olmak olup olur onun örneğin
  sonra şimdi şöyle söyler verir veya yani yine zaten
  について こと という それ これ ため もの ところ です ます した する なる ある いる`
    .split(/\s+/u)
    .map((word) => word.normalize('NFC')),
);
