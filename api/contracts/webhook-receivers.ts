/**
 * A receiver in each language, as the webhooks document and docs/guide/webhooks.md show it: it verifies the signature and keeps
 * the newest body of each result. A test runs the one in JavaScript.
 */
export const webhookReceivers = {
  javascript: `// npm install standardwebhooks
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const results = new Map(); // In production: a table with the primary key \`id\`.

createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    const stored = results.get(body.id);
    if (!stored || stored.revision < body.revision) results.set(body.id, body);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(process.env.PORT));
`,
  python: `# pip install standardwebhooks flask
import os, sqlite3
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
database = os.environ["DATABASE"]
with sqlite3.connect(database) as db:
    db.execute("create table if not exists result (id text primary key, revision integer, body text)")

@app.post("/webhooks")
def receive():
    try:
        body = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    with sqlite3.connect(database) as db:
        db.execute(
            """insert into result (id, revision, body) values (?, ?, ?)
               on conflict (id) do update set revision = excluded.revision, body = excluded.body
               where result.revision < excluded.revision""",
            (body["id"], body["revision"], request.get_data(as_text=True)),
        )
    return "", 204
`,
  go: `// go get github.com/standard-webhooks/standard-webhooks/libraries
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type result struct {
	ID       string \`json:"id"\`
	Revision int    \`json:"revision"\`
	body     []byte
}

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	var mutex sync.Mutex
	results := map[string]result{} // In production: a table with the primary key id.

	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		received := result{}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 32<<20))
		if err == nil {
			err = webhook.Verify(body, r.Header)
		}
		if err == nil {
			err = json.Unmarshal(body, &received)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		received.body = body
		mutex.Lock()
		defer mutex.Unlock()
		if stored, ok := results[received.ID]; !ok || stored.Revision < received.Revision {
			results[received.ID] = received
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
`,
} as const;
