import type { Request, Response } from 'express';
import { z } from 'zod';
import type { NameAnswer, QuestionType } from './name-server';
import { parseBody } from './parse-body';

const nameRecord = z.union([
  z.strictObject({ txt: z.array(z.string().min(1).max(1_000)).max(20) }),
  z.strictObject({ fails: z.enum(['failure', 'silence']) }),
]);

export type NameRecords = ReturnType<typeof createNameRecords>;

/**
 * The records of the fake name server. `PUT /dns/<name>` sets the TXT records of a name (`{"txt": ["…"]}`) or makes
 * its lookups fail (`{"fails": "failure"}`, or `"silence"` for no response). All other names are unknown.
 */
export function createNameRecords() {
  const names = new Map<string, z.output<typeof nameRecord>>();
  const nameOf = (req: Request) => String(req.params['name']).toLowerCase();
  return {
    answer: (name: string, type: QuestionType): NameAnswer => {
      const found = names.get(name.toLowerCase());
      if (!found) return 'unknown';
      if ('fails' in found) return found.fails;
      return type === 'TXT' ? found : [];
    },
    set: (req: Request, res: Response): void => {
      const parsed = parseBody(nameRecord, req.body);
      if (parsed.ok) {
        names.set(nameOf(req), parsed.value);
        res.status(204).end();
      } else res.status(422).json({ error: parsed.error, name: parsed.name });
    },
    remove: (req: Request, res: Response): void => {
      names.delete(nameOf(req));
      res.status(204).end();
    },
    list: (_req: Request, res: Response): void => {
      res.json([...names].map(([name, answer]) => ({ name, ...answer })));
    },
    forget: () => names.clear(),
  };
}
