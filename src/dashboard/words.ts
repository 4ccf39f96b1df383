// Owns what the dashboard says, in English and in Portuguese. Statuses, triggers, codes and field names stay as the interface has them.
import { DOCS_TEXTS } from './docsWords.ts'
import { PAY_TEXTS } from './payWords.ts'
import { TOOL_TEXTS } from './toolWords.ts'

/** Languages that the dashboard speaks. */
export const LANGUAGES = ['en', 'pt'] as const
/** A language of the dashboard. */
export type Language = (typeof LANGUAGES)[number]

/** One row for each text: English, then Portuguese. `{}` is filled in by `fill`. */
const TEXTS = {
  ...TOOL_TEXTS,
  ...PAY_TEXTS,
  ...DOCS_TEXTS,
  // the frame of every page
  product: ['Gateway sandbox', 'Gateway sandbox'],
  skip: ['Skip to content', 'Ir para o conteúdo'],
  navigation: ['Pages', 'Páginas'],
  world: ['World', 'Mundo'],
  openWorld: ['Open', 'Abrir'],
  theme: ['Theme', 'Tema'],
  themeAuto: ['System theme', 'Tema do sistema'],
  themeLight: ['Light theme', 'Tema claro'],
  themeDark: ['Dark theme', 'Tema escuro'],
  language: ['Language', 'Idioma'],
  connecting: ['Connecting', 'Conectando'],
  connected: ['Live', 'Ao vivo'],
  disconnected: ['Reconnecting', 'Reconectando'],
  done: ['Done.', 'Feito.'],
  unreachable: [
    'The sandbox does not answer. Is it still running?',
    'O sandbox não responde. Ele ainda está rodando?',
  ],
  copy: ['Copy', 'Copiar'],
  copied: ['Copied.', 'Copiado.'],
  notCopied: [
    'The browser does not let this page copy. Select the text and copy it yourself.',
    'O navegador não deixa esta página copiar. Selecione o texto e copie você mesmo.',
  ],
  noScript: [
    'Scripts are switched off: everything can be read, but the buttons that change something need them, and the page does not update by itself.',
    'Os scripts estão desligados: tudo pode ser lido, mas os botões que mudam algo precisam deles, e a página não se atualiza sozinha.',
  ],
  refused: ['Refused', 'Recusado'],
  back: ['Back', 'Voltar'],
  frozen: ['frozen', 'parado'],
  flowing: ['flowing', 'correndo'],
  worldTime: ['World time', 'Hora do mundo'],
  // signing in, and pages that are not there
  signIn: ['Sign in', 'Entrar'],
  signInWhy: [
    'This sandbox was started with a control token. Type it to go on.',
    'Este sandbox foi iniciado com um token de controle. Digite-o para continuar.',
  ],
  controlToken: ['Control token', 'Token de controle'],
  wrongToken: ['That is not the control token.', 'Esse não é o token de controle.'],
  notFound: ['Not found', 'Não encontrado'],
  noPage: ['There is no such page here.', 'Esta página não existe.'],
  noRecord: ['There is no such record in this world.', 'Este registro não existe neste mundo.'],
  noWorld: ['There is no such world on this server.', 'Este mundo não existe neste servidor.'],
  toOverview: ['To the overview', 'Para a visão geral'],
  // overview
  overview: ['Overview', 'Visão geral'],
  clock: ['Clock', 'Relógio'],
  clockFrozen: ['It stands still until it is moved.', 'Parado até que alguém o mova.'],
  clockFlowsAlike: ['It goes on with the host.', 'Segue o relógio do host.'],
  clockFlows: [
    'It goes on with the host, {} times as fast.',
    'Segue o relógio do host, {} vezes mais rápido.',
  ],
  freeze: ['Freeze', 'Parar'],
  flow: ['Let it flow', 'Deixar correr'],
  oneMinute: ['+ 1 min', '+ 1 min'],
  oneHour: ['+ 1 h', '+ 1 h'],
  oneDay: ['+ 1 day', '+ 1 dia'],
  nextJob: ['To the next job', 'Até a próxima tarefa'],
  advanceBy: ['Advance by', 'Avançar'],
  advanceTo: ['Advance to (UTC)', 'Avançar até (UTC)'],
  advance: ['Advance', 'Avançar'],
  durationHint: ['such as 31m or 7d', 'por exemplo 31m ou 7d'],
  instantHint: ['such as {}', 'por exemplo {}'],
  next: ['What happens next', 'O que vem a seguir'],
  nothingNext: ['Nothing waits for time.', 'Nada espera pelo tempo.'],
  jobsMore: ['{} more wait after these.', 'Mais {} esperam depois destas.'],
  in: ['in {}', 'em {}'],
  now: ['now', 'agora'],
  job: ['Job', 'Tarefa'],
  balance: ['Balance over time', 'Saldo ao longo do tempo'],
  account: ['Account', 'Conta'],
  show: ['Show', 'Mostrar'],
  available: ['Available', 'Disponível'],
  pending: ['Pending', 'Pendente'],
  reserved: ['Reserved', 'Reservado'],
  total: ['Total', 'Total'],
  noMoney: ['No money has moved on this account.', 'Nenhum dinheiro passou por esta conta.'],
  fund: ['Add test money', 'Adicionar dinheiro de teste'],
  counts: ['By status', 'Por status'],
  none: ['none yet', 'nada ainda'],
  latest: ['Latest events', 'Últimos eventos'],
  nothingYet: ['Nothing has happened yet.', 'Nada aconteceu ainda.'],
  // lists
  transactions: ['Transactions', 'Transações'],
  cashouts: ['Cashouts', 'Saques'],
  disputes: ['Disputes', 'Disputas'],
  customers: ['Customers', 'Clientes'],
  deliveries: ['Deliveries', 'Entregas'],
  search: ['Search', 'Buscar'],
  searchHint: ['id, reference or text', 'id, referência ou texto'],
  status: ['Status', 'Status'],
  allStatuses: ['All', 'Todos'],
  nothingFound: ['Nothing found.', 'Nada encontrado.'],
  nothingHere: [
    'None yet. They appear here by themselves.',
    'Ainda não há nada aqui. A lista se preenche sozinha.',
  ],
  page: ['Page {}', 'Página {}'],
  newer: ['Newer', 'Mais recentes'],
  older: ['Older', 'Anteriores'],
  // records
  transaction: ['Transaction', 'Transação'],
  cashout: ['Cashout', 'Saque'],
  dispute: ['Dispute', 'Disputa'],
  customer: ['Customer', 'Cliente'],
  facts: ['Facts', 'Dados'],
  stored: ['As stored', 'Como está guardado'],
  amount: ['Amount', 'Valor'],
  fee: ['Fee', 'Tarifa'],
  net: ['Net', 'Líquido'],
  refunded: ['Refunded', 'Devolvido'],
  method: ['Method', 'Método'],
  reference: ['External id', 'Id externo'],
  description: ['Description', 'Descrição'],
  reason: ['Reason', 'Motivo'],
  created: ['Created', 'Criado em'],
  expires: ['Expires', 'Expira em'],
  completed: ['Completed', 'Concluído em'],
  environment: ['Environment', 'Ambiente'],
  receiver: ['Webhooks to', 'Webhooks para'],
  pixKey: ['PIX key', 'Chave PIX'],
  deadline: ['Respond until', 'Responder até'],
  held: ['Held now', 'Retido agora'],
  response: ['Response', 'Resposta'],
  evidence: ['Evidence', 'Evidências'],
  name: ['Name', 'Nome'],
  email: ['E-mail', 'E-mail'],
  document: ['Document', 'Documento'],
  phone: ['Phone', 'Telefone'],
  due: ['Due', 'Vencimento'],
  payment: ['How it is paid', 'Como se paga'],
  qrPicture: ['QR code of this PIX', 'QR code deste PIX'],
  copyPaste: ['Copy and paste', 'Copia e cola'],
  slip: ['Open the slip (PDF)', 'Abrir o boleto (PDF)'],
  cardEnding: ['{} ending in {}', '{} com final {}'],
  machine: ['Machine', 'Máquina de estados'],
  machineOf: ['Statuses and triggers. Now: {}.', 'Status e gatilhos. Agora: {}.'],
  triggers: ['What can happen now', 'O que pode acontecer agora'],
  noTrigger: ['Nothing can fire on it any more.', 'Nada mais pode disparar.'],
  options: ['Options', 'Opções'],
  optional: ['optional', 'opcional'],
  openDispute: ['Open a dispute', 'Abrir uma disputa'],
  posting: ['Posting', 'Lançamento'],
  postings: ['Postings', 'Lançamentos'],
  noPostings: ['No money has moved for it.', 'Nenhum dinheiro se moveu.'],
  timeLine: ['Time line', 'Linha do tempo'],
  earlier: ['{} earlier steps are not shown.', '{} passos anteriores não são mostrados.'],
  byTime: [
    'Steps of one instant may stand in another order.',
    'Passos do mesmo instante podem estar em outra ordem.',
  ],
  waits: ['waits', 'espera'],
  setup: ['Setup', 'Ajuste'],
  // jobs
  jobExpire: ['an unpaid payment expires', 'um pagamento não pago expira'],
  jobConfirm: ['the payment is confirmed by itself', 'o pagamento é confirmado sozinho'],
  jobSettle: ['pending money becomes available', 'o dinheiro pendente fica disponível'],
  jobLapse: ['the time to respond to the dispute ends', 'termina o prazo para responder à disputa'],
  jobRule: ['a rule does what it planned', 'uma regra faz o que planejou'],
  jobAttempt: ['attempt {} of {}', 'tentativa {} de {}'],
} as const satisfies Record<string, readonly [en: string, pt: string]>

/** The name of a text. */
export type Word = keyof typeof TEXTS
/** Every text in one language. */
export type Words = Readonly<Record<Word, string>>

const inLanguage = (index: 0 | 1): Words =>
  Object.fromEntries(Object.entries(TEXTS).map(([word, texts]) => [word, texts[index]])) as Words

/** The dictionaries. */
export const DICTIONARIES: Readonly<Record<Language, Words>> = { en: inLanguage(0), pt: inLanguage(1) }

/** A text with its `{}` filled in, in order. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  const rest = [...values]
  return text.replaceAll('{}', () => String(rest.shift() ?? ''))
}
