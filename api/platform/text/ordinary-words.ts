/**
 * Everyday words, and words of this product, that are also names of companies. The list cannot be complete: a company
 * whose word is missing gets the error that its name must not be in a text, and has to use another word.
 */
export const ordinaryWords: ReadonlySet<string> = new Set(
  `a an and at by for in my of on our the to we with your
  ability about academy accent access account achieve action active adapt advance agency agent agile aim alert align all
  alpha amazon anchor angel answer apex apple application apply arc arch area arrow art aspire assess assessment asset
  assist atlas audio aurora avatar aware axis badge balance band bank bar base basic basis beacon best better beyond big
  black block bloom blue board bold bond book boost border bot bottom boundary box brain brand bridge bright bubble
  budget build builder business button buzz cake calendar call camera candidate canvas cap capital card care career
  carrier cart case cast catalog catalogue catalyst cell center centre central chain challenge champion chance change
  channel chapter charge chart chat check choice choose circle city class clear click client climb clock cloud club coach
  coaching code coin collect collective color colour comfort common compass compete complete concept connect connected
  contact content control cookie copy core corner course craft create creative credit crew cross crowd crown cube culture
  current curve custom customer cycle dark dash dashboard data date dawn day deal decide deep delta demo desk develop
  diamond digital direct direction discover discovery dock document domain door dot dove draft dragon dream drive drop
  dynamic dynamo eagle early earth ease east easy echo eclipse edge edit element elevate elite embed emerge energy engage
  engine enjoy enter enterprise entry epic equal essential event evolve exact exchange expand expert explore export
  express extra eye face factor fair faith family farm fast feature feed feedback field file filter final find finder fire
  first fit five fix flag flame flex flight flow focus follow force forge form format forward foundation fountain four fox
  frame free fresh friend front fuel full function fund fuse fusion future gain game gap garden gate gateway gear gem
  general genius global go goal gold golden good grace grade grand graph great green grid ground group grow growth guard
  guide guild hand happy harbor harbour harmony harvest haven head health heart help hero high hill hire hiring hive hold
  home honest hope horizon host hour house hub human icon idea ideal image impact import impulse index industry infinity
  info inform insight inspire instant integrate interview interviews invite island job jobs join journey jump junction
  just key kind kit knowledge lab label labs ladder lake language lark laser launch lead leader leap learn learning ledger
  legacy less level lever lift light lighthouse like lime line link lion list live load local lock logic loop lotus love
  lunar magic magnet mail main maker manager map mark market mars master match matrix matter max maze measure media meet
  meeting member memo memory mentor menu merge merit message meta method metric micro mile milestone mind mine mint mirror
  mission mobile mode model modern moment monday monitor moon more morning motion motive mountain move native natural
  nature need nest net network new next nine noble node north note notice nova now number oak oasis object ocean offer
  office olive one open optic optimum option oracle orange orbit orchard order origin other outlook own oxygen pace page
  paper park part partner partners path patient pattern peak pearl people perfect person phase phoenix phone pick picture
  pilot pine pioneer pipeline pivot pixel place plan planet plant platform play plus point polaris pool port portal
  position power practice precise premier present prime print prism private pro process product profile progress project
  promise proof pulse pure purple purpose puzzle quality quest question quick quiet range rapid raven ray reach read ready
  real record recruit recruiter recruiting recruitment red reflect region relay remote report reports resource result
  results review rich ride right ring rise river road robin robot rocket role room root rose round route run safe sage
  sail salt sand sapphire save scale scan school science scope score scout screen screening sea seal search season second
  secure seed select sense service session set seven shape share sharp shell shield shift shine ship shop short sign
  signal silver simple simply single site six skill skills sky slack smart smile snap social soft solar solid solution
  solutions sound source south space spark spectrum speed sphere spirit split sport spot spring square staff stage star
  start state station status stay steel step stone store storm story strategy stream street strike stripe strong studio
  style success summit sun support sure swift switch symbol sync system table tag talent talents talk target task tea team
  teams tech ten test thing think three thrive tide tiger time title together tool tools top total touch tower town track
  trade train training transfer travel tree trend trial tribe trust truth turn twin two union unique unit unite united
  unity universe up update urban user valley value vantage vector velocity venture verify video view vine vision visit
  visual vital vivid voice wave way web welcome well west whale wheel white whole wide win wind window wing wise wolf
  wonder word work worker works workshop world yellow yes zebra zen zero zone zoom`.split(/\s+/),
);
