import type { ComponentChildren, VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import {
  findSessionsByTerms,
  listCompletedSessions,
  listDirectoryCards,
  listPlanStages,
  listSessionsById,
  listSessionsByTags,
} from '../../db/catalogue/portal-catalogue';
import type {
  DirectoryCard,
  PlanStage,
  PortalDirectory,
  SessionCard,
} from '../../db/catalogue/portal-catalogue';
import type { Transaction } from '../../db/platform/database';
import { catalogueElements } from './catalogue-elements';
import type { CatalogueElements } from './catalogue-elements';
import type { CompiledMarkdown, DirectiveSlot } from './markdown';
import { maxSessions } from './markdown-directive';

/** The most cards and plan stages that one page shows. Further cards and stages are left out. */
const maxCards = 2_000;
/**
 * The most search terms that one page can use, because each term is searched for in every session. Lists for further
 * terms stay empty.
 */
const maxTerms = 5;

/*
 * The functions below read their data inside the transaction. Each returns a function that renders the data after the
 * transaction has ended.
 */

/** Returns the content of a directory that has no page of its own: its subdirectories, then its sessions. */
export async function gridContent(
  trx: Transaction,
  directory: PortalDirectory,
): Promise<() => ComponentChildren> {
  const [found, sessions, completed] = await Promise.all([
    directory.tags_sub.length > 0 ? trx.rows(listDirectoryCards(directory.tags_sub)) : [],
    ownSessions(trx, directory),
    completedSessions(trx, directory),
  ]);
  return () => {
    const elements = catalogueElements(directory.platform_language_code, completed, directory.is_learner);
    const byId = new Map(found.map((each) => [each.id, each]));
    const nested = directory.tags_sub.flatMap((id) => byId.get(id) ?? []);
    const { shown, isCut } = cut(sessions);
    if (nested.length + shown.length === 0) return elements.empty();
    const cards = [...nested.map(elements.directoryCard), ...shown.map((each) => elements.sessionCard(each))];
    return [elements.grid(cards), isCut && elements.more()];
  };
}

/**
 * Returns the content of a directory that has a page of its own. The page's slots are filled with what the visitor
 * may see, which takes about five SQL statements.
 */
export async function pageContent(
  trx: Transaction,
  directory: PortalDirectory,
  { parts, slots, isTooLong }: CompiledMarkdown,
): Promise<() => ComponentChildren> {
  if (isTooLong) return () => catalogueElements(directory.platform_language_code, new Set(), false).tooLong();
  const stock = await collect(trx, directory, slots);
  return () => draw(directory, parts, slots, stock);
}

function draw(directory: PortalDirectory, parts: string[], slots: DirectiveSlot[], stock: Stock): VNode {
  const elements = catalogueElements(directory.platform_language_code, stock.completed, directory.is_learner);
  const budget = { left: maxCards };
  // `jsxTemplate` is Preact's function for precompiled markup: it puts one element between every two adjacent parts.
  const filled = slots.map((slot) => <>{fill(slot, stock, elements, budget)}</>);
  return <div class="prose">{jsxTemplate(parts, ...filled)}</div>;
}

type Stock = {
  directories: Map<string, DirectoryCard>;
  sessions: Map<string, SessionCard>;
  own: SessionCard[];
  byTerm: Map<string, SessionCard[]>;
  stages: PlanStage[];
  completed: Set<string>;
};

async function collect(trx: Transaction, directory: PortalDirectory, slots: DirectiveSlot[]): Promise<Stock> {
  const cards = slots.flatMap((slot) => (slot.kind === 'cards' ? slot.cards : []));
  const idsOf = (kind: 'directory' | 'session') =>
    [...new Set(cards.flatMap((card) => (card.kind === kind ? card.id : [])))].slice(0, maxCards);
  const [directoryIds, sessionIds, terms] = [idsOf('directory'), idsOf('session'), termsOf(slots)];
  const asksForOwn = slots.some((slot) => slot.kind === 'sessions' && slot.term === null);
  const asksForPlan = slots.some((slot) => slot.kind === 'plan_progress');

  const [directories, sessions, own, found, stages, completed] = await Promise.all([
    directoryIds.length > 0 ? trx.rows(listDirectoryCards(directoryIds)) : [],
    sessionIds.length > 0 ? trx.rows(listSessionsById(sessionIds)) : [],
    asksForOwn ? ownSessions(trx, directory) : [],
    terms.size > 0 ? trx.rows(findSessionsByTerms([...terms.keys()], [...terms.values()])) : [],
    asksForPlan ? trx.rows(listPlanStages) : [],
    completedSessions(trx, directory),
  ]);
  const byTerm = new Map([...terms.keys()].map((term): [string, SessionCard[]] => [term, []]));
  const lists = [...byTerm.values()];
  for (const session of found) lists[session.nth]?.push(session);
  return {
    directories: new Map(directories.map((each) => [each.id, each])),
    sessions: new Map(sessions.map((each) => [each.id, each])),
    own,
    byTerm,
    stages,
    completed,
  };
}

/** Returns the search terms of the slots, each with the largest number of sessions that a slot shows for it. */
function termsOf(slots: DirectiveSlot[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const slot of slots) {
    if (slot.kind !== 'sessions' || slot.term === null) continue;
    if (!terms.has(slot.term) && terms.size === maxTerms) continue;
    terms.set(slot.term, Math.max(terms.get(slot.term) ?? 0, slot.limit ?? maxSessions + 1));
  }
  return terms;
}

const mapOf = { directory: 'directories', session: 'sessions' } as const;

function fill(
  slot: DirectiveSlot,
  stock: Stock,
  elements: CatalogueElements,
  budget: { left: number },
): ComponentChildren {
  const take = <Row,>(rows: Row[]): Row[] => {
    const taken = rows.slice(0, budget.left);
    budget.left -= taken.length;
    return taken;
  };
  if (budget.left === 0) return null;
  if (slot.kind === 'plan_progress') return elements.plan(take(stock.stages));
  if (slot.kind === 'cards') {
    const cards = take(slot.cards.filter(({ kind, id }) => stock[mapOf[kind]].has(id))).flatMap(
      ({ kind, id }) => {
        const directory = kind === 'directory' ? stock.directories.get(id) : undefined;
        const session = kind === 'session' ? stock.sessions.get(id) : undefined;
        if (directory) return elements.directoryCard(directory);
        return session ? elements.sessionCard(session) : [];
      },
    );
    return slot.isGrid ? elements.grid(cards) : elements.cards(cards);
  }
  const all = slot.term === null ? stock.own : (stock.byTerm.get(slot.term) ?? []);
  if (slot.limit !== null)
    return elements.grid(take(all.slice(0, slot.limit)).map((each) => elements.sessionCard(each)));
  const { shown, isCut } = cut(all);
  return [elements.grid(take(shown).map((each) => elements.sessionCard(each))), isCut && elements.more()];
}

/** Returns the sessions that have all tags of the directory. A directory without tags has no sessions of its own. */
const ownSessions = async (trx: Transaction, { tags_interview_set_filter: tags }: PortalDirectory) =>
  tags.length > 0 ? await trx.rows(listSessionsByTags(tags, maxSessions + 1)) : [];

const completedSessions = async (trx: Transaction, { is_learner }: PortalDirectory) =>
  new Set(is_learner ? (await trx.rows(listCompletedSessions)).map(({ id }) => id) : []);

const cut = (sessions: SessionCard[]): { shown: SessionCard[]; isCut: boolean } => ({
  shown: sessions.slice(0, maxSessions),
  isCut: sessions.length > maxSessions,
});
