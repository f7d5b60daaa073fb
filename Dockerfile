# The image holds Python, the packages of requirements.lock and Tablée: no shell, no package manager, no root.
# RUN steps name no absolute path: tests/deploy runs them in a temporary folder where Docker is missing.

FROM node:24-slim AS client
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY docs/regles ../docs/regles
COPY docs/rules ../docs/rules
COPY web ./
RUN npm run build -- --logLevel warn

FROM python:3.12 AS build
WORKDIR /src
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --no-compile --require-hashes --target packages --requirement requirements.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY scripts/build_hook.py scripts/
COPY src src
COPY --from=client /src/src/tablee/server/static src/tablee/server/static
RUN python -m pip install --no-cache-dir --no-compile --no-deps --target packages .
COPY deploy/image.py deploy/
RUN python deploy/image.py packages rootfs && mkdir data

FROM scratch
COPY --from=build /src/rootfs /
COPY --from=build --chown=10001:10001 /src/data /var/lib/tablee
ENV PATH=/usr/local/bin \
    TABLEE_DATA=/var/lib/tablee \
    HOME=/var/lib/tablee \
    LANG=C.UTF-8 \
    PYTHONUNBUFFERED=1 \
    PYTHONPYCACHEPREFIX=/tmp/pycache
WORKDIR /var/lib/tablee
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["/usr/local/bin/python3", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["/usr/local/bin/tablee"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
