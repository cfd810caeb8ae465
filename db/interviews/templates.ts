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
};

/** Returns a page of templates and the total in one query. */
export const listTemplates = (limit: number, offset: number): Statement<ListedTemplate> => ({
  name: 'list_templates',
  text: `
    select count.total, page.* from (select count(*) as total from interview_template) count
    left join (
      select id, name, type, platform_language_code, status, usable from interview_template
      order by type limit $1 offset $2
    ) page on true
    order by page.type`,
  values: [limit, offset],
});

export const findTemplateType = (id: string): Statement<{ type: string }> => ({
  text: 'select type from interview_template where id = $1',
  values: [id],
});
