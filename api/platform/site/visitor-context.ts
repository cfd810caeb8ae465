import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Visitor } from './visitor';

/** The person for whom a page is rendered. Elements take links, form tokens and the time zone from it. */
export const VisitorContext = createContext<Visitor | null>(null);

/** Returns the visitor of the page that is being rendered. */
export function useVisitor(): Visitor {
  const visitor = useContext(VisitorContext);
  if (!visitor) throw new Error('this element needs a visitor');
  return visitor;
}

/** The time zone of the merchant's settings, in which its pages show times. */
export const useTimeZone = (): string => useVisitor().merchant?.time_zone ?? 'UTC';
