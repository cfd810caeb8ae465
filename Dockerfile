# One image for the API, the live process, the worker and the migrations: a service selects its entry file with `command`. The target
# `fakes` adds the local servers that act as outside providers.
# The image uses Debian, not Alpine, because Temporal's native core has no musl build. The digest fixes its content: take
# a new one with each release of Node 24, which is also how fixes of Debian arrive.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
# No package needs its install scripts, neither for the build nor at run time.
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY api api
COPY workflows workflows
COPY activities activities
COPY db db
COPY local local
COPY bench bench
COPY clients clients
COPY docs/guide docs/guide
# Compiles TypeScript, copies the migrations and the files of /docs, and bundles the workflows, so that a worker bundles
# nothing when it starts.
RUN npm run build

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS product
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# PDF files use two weights of the fonts (activities/platform/pdf-fonts.ts). The others take 70 MB.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
  && find node_modules/@embedpdf -name '*.otf' ! -name '*-Regular.otf' ! -name '*-Bold.otf' -delete
COPY --from=build /app/dist/api dist/api
COPY --from=build /app/dist/workflows dist/workflows
COPY --from=build /app/dist/activities dist/activities
COPY --from=build /app/dist/db dist/db
COPY --from=build /app/dist/docs dist/docs
# A volume that is mounted here gets this owner.
RUN install -d -o node -g node -m 700 /var/lib/platform/objects
USER node
# The API serves /healthz on PORT, and a worker on METRICS_PORT. The migrations end before the first check counts.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "const { PORT = 8080, METRICS_PORT = 9465 } = process.env; Promise.any([PORT, METRICS_PORT].map(async (port) => { if (!(await fetch(`http://127.0.0.1:${port}/healthz`)).ok) throw new Error(); })).catch(() => process.exit(1))"]
# Names the build to Temporal (docs/operations.md#builds-of-the-worker): --build-arg BUILD_ID=$(git rev-parse --short=12 HEAD)
ARG BUILD_ID=""
ENV BUILD_ID=$BUILD_ID
CMD ["node", "--enable-source-maps", "dist/api/main.js"]

FROM product AS fakes
COPY --from=build /app/dist/local dist/local
HEALTHCHECK NONE
CMD ["node", "--enable-source-maps", "dist/local/fakes/main.js"]

# The default target.
FROM product
