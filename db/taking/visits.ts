import type { MerchantScope } from '../platform/caller';
import type { Statement } from '../platform/statement';
import type { LanguageCode, TemplateType } from '../platform/vocabulary';

/* What a visitor of a public avatar can do (docs/taking.md#public-avatars), in the scope of the visit. */

/** A public avatar, and the conversation of the visit, which is empty before it begins. */
export type AvatarPage = {
  interview_id: string;
  name: string;
  description: string | null;
  merchant_name: string;
  accent_color: string | null;
  /** The path of the merchant's logo in the object store. */
  logo_path: string | null;
  platform_language_code: LanguageCode;
  /** False if the avatar is not active, or its end has passed. */
  is_open: boolean;
  /** False if no credits are left for another visit. */
  is_available: boolean;
  max_questions: number;
  template_type: TemplateType | null;
  /** What the avatar said, and what the visitor then asked. `question` is null if the visitor has not asked yet. */
  turns: { text: string; question: string | null }[];
};

export const findAvatarPage: Statement<AvatarPage> = {
  name: 'find_avatar_page',
  text: `
    select p.*, app.link_template() as template_type, m.accent_color, m.logo_path
    from app.avatar_page() p cross join merchant m where m.id = app.merchant_id()`,
};

/**
 * Begins the visit, unless it has begun, and pays it. `turn_id` is the turn that takes the first question. It is null if the
 * visit cannot begin: the avatar is closed, or no credits are left.
 */
export const openVisit = (
  greeting: string,
): Statement<{ outcome: 'open' | 'closed' | 'no_credits'; turn_id: string | null }> => ({
  name: 'open_visit',
  text: 'select outcome, turn_id from app.open_visit($1)',
  values: [greeting],
});

/** Says whether the visitor speaks or types the open question. The replies to spoken questions are spoken. */
export const setVisitMode = (mode: 'voice' | 'text'): Statement => ({
  name: 'set_visit_mode',
  text: 'select app.set_visit_mode($1)',
  values: [mode],
});

/** Deletes visits that began more than 30 days ago, over all merchants, and returns them. */
export const deleteVisits = (limitRows: number): Statement<MerchantScope & { result_id: string }> => ({
  name: 'delete_old_visits',
  text: 'select * from app.delete_old_visits($1)',
  values: [limitRows],
});
