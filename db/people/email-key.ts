import { domainToASCII } from 'node:url';

/**
 * An e-mail address as it is compared: case folded, the domain as DNS has it, so that `Ann@Bücher.example` and
 * `ann@xn--bcher-kva.example` are one person. The local part keeps its dots and its plus tag: only its host knows
 * what they mean.
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
