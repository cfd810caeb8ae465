# One image for the API, the worker and the migrations: a service selects its entry file with `command`. The target
# `fakes` adds the local servers that act as outside providers.
# The image uses Debian, not Alpine, because Temporal's native core has no musl build.
FROM node:20-bookworm-slim AS build
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
COPY docs/guide docs/guide
# Compiles TypeScript, copies the migrations and the files of /docs, and bundles the workflows, so that a worker bundles
# nothing when it starts.
RUN npm run build

FROM node:20-bookworm-slim AS product
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
CMD ["node", "--enable-source-maps", "dist/api/main.js"]

FROM product AS fakes
COPY --from=build /app/dist/local dist/local
CMD ["node", "--enable-source-maps", "dist/local/fakes/main.js"]

# The default target.
FROM product
