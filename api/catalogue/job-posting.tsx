import type { VNode } from 'preact';
import type { JobPage } from '../../db/catalogue/jobs';
import { availableUntil } from '../platform/text/available-until';
import { logoAddress } from '../platform/text/brand';
import { html, htmlLanguage } from '../platform/text/html';
import { oneLine } from '../platform/text/one-line';

/** The longest texts that programs get. Pages show longer ones. */
const maxSummaryCharacters = 300;
const maxMarkupCharacters = 50_000;

type Posting = {
  job: JobPage;
  /** The name of the company, or the words for a company that must not be named. */
  company: string;
  /** The long description as HTML. */
  markup: string | undefined;
  /** The address of the page at the merchant's own portal, if it has one. */
  address: string;
};

/** What search engines and sites on which somebody shares the page of a job read: Open Graph and schema.org. */
export function JobPostingHead(posting: Posting): VNode {
  const { job, company, address } = posting;
  const about = job.description ?? `${company}, ${job.location}`;
  const summary = oneLine(about.slice(0, maxSummaryCharacters));
  const image = job.cover_image_url?.startsWith('https://') ? job.cover_image_url : undefined;
  return (
    <>
      <meta name="description" content={summary} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={oneLine(job.name)} />
      <meta property="og:description" content={summary} />
      <meta property="og:url" content={address} />
      <meta property="og:site_name" content={oneLine(job.merchant_name)} />
      {image !== undefined && <meta property="og:image" content={image} />}
      {job.outcome === 'open' && (
        <script
          type="application/ld+json"
          // In a script element, only `<` could end the element.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify(jobPosting(posting, image)).replaceAll('<', String.raw`\u003c`),
          }}
        />
      )}
    </>
  );
}

function jobPosting({ job, company, markup = '', address }: Posting, image: string | undefined) {
  const short = job.description === null ? '' : html`<p>${job.description}</p>`.text;
  const long = markup.length > maxMarkupCharacters ? '' : markup;
  const logo = company === job.merchant_name ? job.logo_path : null;
  return {
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title: job.name,
    description: short + long || html`<p>${job.name}</p>`.text,
    identifier: job.id,
    url: address,
    image,
    datePosted: job.created_at,
    validThrough: availableUntil(job.available_till)?.toISOString(),
    directApply: true,
    inLanguage: htmlLanguage(job.language).lang,
    occupationalCategory: job.department ?? undefined,
    hiringOrganization: {
      '@type': 'Organization',
      name: company,
      logo: logo === null ? undefined : new URL(logoAddress(logo), address).href,
    },
    jobLocation: {
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressLocality: job.location },
    },
  };
}
