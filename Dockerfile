# Owns the container image: the built command and its production dependencies on a plain Node, run by anybody but root.
# Another base: docker build --build-arg NODE_IMAGE=... (Node 20.19 or newer with npm).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
RUN npm run build && chmod +x dist/cli/main.js && find dist -name '*.d.ts' -delete

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Node runs no TypeScript below node_modules, so sources and declarations are of no use there. Licences stay.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f ! -iname 'licen[cs]e*' \
    '(' -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -name '*.md' ')' -delete

FROM ${NODE_IMAGE}
WORKDIR /app
# What is mounted at /scenarios sets up the default world. A new volume at /data takes this owner, so that whoever serves may
# write there.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/gateway-sandbox \
  && mkdir /scenarios && install -d -o 1000 -g 1000 /data
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=4848 SANDBOX_SCENARIO=/scenarios SANDBOX_IMAGE=1
EXPOSE 4848
# By number, so that Kubernetes can see that it is not root.
USER 1000
STOPSIGNAL SIGTERM
# It asks SANDBOX_PORT, where exec listens too: set that instead of `start --port`.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "/app/dist/cli/main.js", "health"]
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["start"]

ARG VERSION=unreleased
LABEL org.opencontainers.image.title="gateway-sandbox" \
  org.opencontainers.image.description="A Brazilian payment gateway on your own machine: PIX, boleto, cards, cashouts, disputes and signed webhooks, with a clock that tests move." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}"
