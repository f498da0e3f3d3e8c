# plainsight over HTTP: docs/how-to/service.md
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/plainsight && /opt/plainsight/bin/pip install --no-cache-dir ".[serve]"

FROM python:3.12-slim
COPY --from=build /opt/plainsight /opt/plainsight
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin plainsight
ENV PATH=/opt/plainsight/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "import socket; socket.create_connection(('127.0.0.1', 8765), 4)"]
ENTRYPOINT ["plainsight", "serve", "--host", "0.0.0.0", "--port", "8765", "--processes", "auto"]
CMD ["--tokens", "/run/secrets/tokens", "--key-file", "/run/secrets/key", "--certificate", "/run/secrets/certificate", "--certificate-key", "/run/secrets/certificate_key"]
