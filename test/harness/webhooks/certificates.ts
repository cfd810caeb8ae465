import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type KeyAndCertificate = { key: string; cert: string };

/** Creates a certificate authority with openssl. `close` removes its files. */
export function createAuthority() {
  const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
  const openssl = (options: string) =>
    execFileSync('openssl', options.split(' '), { cwd: folder, stdio: 'ignore' });
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=x';
  const named = (name: string) => `-addext subjectAltName=DNS:${name}`;
  const selfSign = (file: string, name: string) =>
    openssl(`req -x509 ${newKey} ${named(name)} -keyout ${file}.key -out ${file}.pem -days 2`);

  selfSign('authority', 'authority.test');
  return {
    pem: read('authority.pem'),
    /** Issues a certificate that is valid for `days`. With negative `days`, it has already expired. */
    issue: (name: string, days: number): KeyAndCertificate => {
      openssl(`req ${newKey} ${named(name)} -keyout leaf.key -out leaf.csr`);
      const signedBy = '-CA authority.pem -CAkey authority.key -CAcreateserial';
      openssl(`x509 -req -in leaf.csr ${signedBy} -days ${days} -copy_extensions copy -out leaf.pem`);
      return { key: read('leaf.key'), cert: read('leaf.pem') };
    },
    selfSigned: (name: string): KeyAndCertificate => {
      selfSign('own', name);
      return { key: read('own.key'), cert: read('own.pem') };
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
