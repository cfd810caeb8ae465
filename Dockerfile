# One image for the API, the worker, the migrations and the stand-ins: a service chooses its entry by `command`.
# Debian and not Alpine: Temporal's native core has no musl build.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY api api
COPY workflows workflows
COPY activities activities
COPY db db
COPY local local
COPY bench bench
# Types, migrations and the bundle of the workflows: a worker that starts bundles nothing.
RUN npm run build

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /app/dist dist
# A volume that is mounted here is this user's.
RUN install -d -o node -g node -m 700 /var/lib/platform/objects
USER node
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
