import MarkdownIt from 'markdown-it';
import type { VNode } from 'preact';

/*
 * Renders the Markdown of reports. Unlike the Markdown of catalogue pages, it has no images, tables or directives, so
 * the HTML is at most 40 times as long as the text, which has at most 4,000 characters.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.disable(['image', 'reference', 'table']);
markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url.trim());
const { rules } = markdown.renderer;
rules['link_open'] = (tokens, index, options, _env, renderer) => {
  tokens[index]?.attrSet('rel', 'noopener nofollow');
  return renderer.renderToken(tokens, index, options);
};
// The title of the block is a heading of the second level, so headings in its text begin with the third level.
rules['heading_open'] = rules['heading_close'] = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
  return renderer.renderToken(tokens, index, options);
};

/**
 * For each bracket, the parser may read all text after it: 4,000 brackets took 21 ms, and a page has up to 12 texts.
 * Texts that people write have fewer brackets than this limit.
 */
const maxBrackets = 50;
const maxOtherSigns = 400;
const countOf = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0;

/**
 * Renders a text block. HTML in it is shown as text. A text that exceeds the limits above is shown without formatting.
 */
export const ReportText = ({ markdown: text }: { markdown: string }): VNode => {
  const isMarkup = countOf(text, /\[/g) <= maxBrackets && countOf(text, /[\]*_`<&\\\n]/g) <= maxOtherSigns;
  return isMarkup ? (
    <div class="report-text" dir="auto" dangerouslySetInnerHTML={{ __html: markdown.render(text) }} />
  ) : (
    <pre class="report-text" dir="auto">
      {text}
    </pre>
  );
};
