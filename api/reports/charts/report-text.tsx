import MarkdownIt from 'markdown-it';
import type { VNode } from 'preact';

/*
 * The Markdown of reports. Unlike pages of the catalogue it has no images, tables or directives, so its markup has at most
 * forty times the characters of its text, which has at most 4,000.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.disable(['image', 'reference', 'table']);
markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url.trim());
const { rules } = markdown.renderer;
rules['link_open'] = (tokens, index, options, _env, renderer) => {
  tokens[index]?.attrSet('rel', 'noopener nofollow');
  return renderer.renderToken(tokens, index, options);
};
// The block has a heading of the second level, so those in its text follow from the third.
rules['heading_open'] = rules['heading_close'] = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
  return renderer.renderToken(tokens, index, options);
};

/** A text block. HTML in it is shown as text. */
export const ReportText = ({ markdown: text }: { markdown: string }): VNode => (
  <div class="report-text" dir="auto" dangerouslySetInnerHTML={{ __html: markdown.render(text) }} />
);
