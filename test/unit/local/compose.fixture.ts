import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/* The tests of the container files run without Docker, so they check only the contents of these files. */

export const root = path.resolve(__dirname, '../../..');
export const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

type Service = {
  image: string;
  build?: string | { context: string; target: string };
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | null>;
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas: number };
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  ports?: string[];
  profiles?: string[];
  configs?: { source: string; target: string }[];
  volumes?: string[];
};
export const text = read('docker-compose.yml');
export const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: Record<string, { content: string }>;
};
export const serviceOf = (name: string): Service => {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};
export const variablesOf = (name: string) => serviceOf(name).environment ?? {};
