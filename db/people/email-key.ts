import { domainToASCII } from 'node:url';

/**
 * Returns the form in which email addresses are compared: lower case, with the domain in its DNS form, so that
 * `Ann@Bücher.example` and `ann@xn--bcher-kva.example` are one person. The local part keeps its dots and plus tag,
 * because only the mail host knows what they mean.
 */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFC').toLowerCase();
  const domain = email
    .slice(at + 1)
    .normalize('NFC')
    .toLowerCase();
  return `${local}@${domainToASCII(domain) || domain}`;
}
