import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ConsoleVisitor } from './visitor';

/** The person for whom a page is rendered. Elements get links, form tokens and the time zone from this context. */
export const VisitorContext = createContext<ConsoleVisitor | null>(null);

/** Returns the visitor of the page that is being rendered. */
export function useVisitor(): ConsoleVisitor {
  const visitor = useContext(VisitorContext);
  if (!visitor) throw new Error('this element needs a visitor');
  return visitor;
}

/** Returns the time zone of the merchant's settings, in which pages show times. */
export const useMerchantTimeZone = (): string => useVisitor().merchant?.time_zone ?? 'UTC';
