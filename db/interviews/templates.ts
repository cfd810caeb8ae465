import { isAfterCursor } from '../platform/page-place';
import type { Statement } from '../platform/statement';
import type { LanguageCode, templateTypes } from '../platform/vocabulary';

/** `total` is the same in every row. For an empty page, the query returns one row whose id is null. */
type ListedTemplate = {
  id: string;
  name: string;
  type: (typeof templateTypes)[number];
  platform_language_code: LanguageCode | null;
  status: 'active' | 'archived';
  usable: boolean;
  total: number;
  place: unknown;
};

/** Returns a page of templates and the total in one query. */
export const listTemplates = (
  limit: number,
  offset: number,
  place: string | null,
): Statement<ListedTemplate> => ({
  name: 'list_templates',
  text: `
    with listed as materialized (select * from interview_template where ${isAfterCursor('$3', { type: 'text' }, 'asc')})
    select count.total, page.*, jsonb_build_array(page.type) as place
    from (select count(*)::int as total from listed) count
    left join (
      select id, name, type, platform_language_code, status, usable from listed order by type limit $1 offset $2
    ) page on true
    order by page.type`,
  values: [limit, offset, place],
});

export const findTemplateType = (id: string): Statement<{ type: string }> => ({
  text: 'select type from interview_template where id = $1',
  values: [id],
});
